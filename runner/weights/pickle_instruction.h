#pragma once

namespace knead::weights {

/// Lists the pickle instructions that are read, under the names of Python's pickletools; the values
/// are their bytes in a file. These are all instructions that torch.save and common programs write
/// in protocol 2 to 5. The text instructions of protocol 0 and the few others are refused by name
/// or number. Instructions that make Python import or call something are read and recorded, never
/// carried out.
enum Instruction : unsigned char {
  kProto = 0x80,
  kFrame = 0x95,
  kStop = '.',
  // The stack and its marks.
  kMark = '(',
  kPop = '0',
  kPopMark = '1',
  kDup = '2',
  // Values that carry their bytes with them.
  kNone = 'N',
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kLong1 = 0x8a,
  kLong4 = 0x8b,
  kBinFloat = 'G',
  kBinUnicode = 'X',
  kShortBinUnicode = 0x8c,
  kBinUnicode8 = 0x8d,
  kBinString = 'T',
  kShortBinString = 'U',
  kBinBytes = 'B',
  kShortBinBytes = 'C',
  kBinBytes8 = 0x8e,
  kByteArray8 = 0x96,
  // Containers; the elements come from the stack.
  kEmptyList = ']',
  kAppend = 'a',
  kAppends = 'e',
  kEmptyTuple = ')',
  kTuple = 't',
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kEmptyDict = '}',
  kSetItem = 's',
  kSetItems = 'u',
  kEmptySet = 0x8f,
  kAddItems = 0x90,
  kFrozenSet = 0x91,
  // The memo, which gives a value a number for later use.
  kBinPut = 'q',
  kLongBinPut = 'r',
  kMemoize = 0x94,
  kBinGet = 'h',
  kLongBinGet = 'j',
  // Names of Python and calls of them.
  kGlobal = 'c',
  kStackGlobal = 0x93,
  kReduce = 'R',
  kNewObj = 0x81,
  kNewObjEx = 0x92,
  kBuild = 'b',
  kBinPersId = 'Q',
};

}  // namespace knead::weights
