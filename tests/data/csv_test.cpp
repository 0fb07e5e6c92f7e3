#include "runner/data/table/csv.h"

#include <cstring>
#include <filesystem>
#include <limits>

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;
using data::Dtype;
using data::Table;

namespace {

using Column = std::variant<std::int64_t, std::string>;

recipe::CsvField field(std::vector<Column> columns,
                       recipe::CsvField::Dtype dtype = recipe::CsvField::Dtype::float32) {
  recipe::CsvField out{};
  out.columns = std::move(columns);
  out.dtype = dtype;
  out.scale = 1;
  return out;
}

recipe::Csv csv_with(std::vector<std::pair<std::string, recipe::CsvField>> fields) {
  recipe::Csv csv;
  csv.delimiter = ",";
  csv.fields = std::move(fields);
  return csv;
}

Table table_of(const std::string& text, recipe::Csv csv) {
  const knead::tests::Folder folder;
  csv.path = folder.write("file.csv", text);
  return data::read_csv(csv);
}

template <class T>
std::vector<T> values(const data::Table& table, std::size_t field) {
  const std::vector<std::byte>& bytes = table.values(field);
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

/// The message for a text, without the file's folder and name.
std::string complaint(const std::string& text, const recipe::Csv& csv) {
  const knead::tests::Folder folder;
  const std::filesystem::path file = folder.write("file.csv", text);
  recipe::Csv here = csv;
  here.path = file;
  try {
    data::read_csv(here);
  } catch (const Error& error) {
    std::string message = error.what();
    const std::size_t at = message.find(file.string());
    if (at != message.npos) message.replace(at, file.string().size(), "FILE");
    return message + " | " + error.remedy();
  }
  return "no complaint";
}

using CsvDtype = recipe::CsvField::Dtype;

const recipe::Csv kTwoFields =
    csv_with({{"x", field({"0:2"})}, {"y", field({2}, CsvDtype::int64)}});

}  // namespace

TEST_CASE("a field reads its columns, in its own order and type") {
  auto scaled = field({"0:2"});
  scaled.scale = 0.5;
  scaled.offset = 1;
  const Table table =
      table_of("1,2,7\n3,4.5,-8\n", csv_with({{"x", scaled}, {"y", field({2}, CsvDtype::int64)}}));
  REQUIRE(table.rows() == 2);
  CHECK(values<float>(table, 0) == std::vector<float>{1.5F, 2, 2.5F, 3.25F});
  CHECK(table.fields()[0].shape == std::vector<std::int64_t>{2});
  CHECK(values<std::int64_t>(table, 1) == std::vector<std::int64_t>{7, -8});
  CHECK(table.fields()[1].shape.empty());
  const Table turned = table_of("1,2,7\n", csv_with({{"x", field({2, 0})}}));
  CHECK(values<float>(turned, 0) == std::vector<float>{7, 1});
}

TEST_CASE("quotes, line ends, a byte order mark and spaces are read as RFC 4180 has them") {
  const auto csv = csv_with({{"x", field({0})}, {"y", field({2})}});
  CHECK(values<float>(table_of("\xEF\xBB\xBF"
                               "1,\"a \"\"b\"\", c\n d\",2\r\n 3 ,e,+4\r\n\r\n",
                               csv),
                      1) == std::vector<float>{2, 4});
  auto semicolon = csv;
  semicolon.delimiter = ";";
  CHECK(values<float>(table_of("1;a,b;2", semicolon), 1) == std::vector<float>{2});
}

TEST_CASE("a header is seen by what stands below it, and gives names to columns") {
  const auto by_name = csv_with({{"x", field({"age"})}});
  CHECK(values<float>(table_of("name,age\nann,3\nbob,4\n", by_name), 0) ==
        std::vector<float>{3, 4});
  const auto by_index = csv_with({{"x", field({1})}});
  CHECK(table_of("name,age\nann,3\n", by_index).rows() == 1);
  CHECK(table_of("ann,2\nbob,3\n", by_index).rows() == 2);
  auto told = by_index;
  told.header = true;
  CHECK(table_of("1,2\n3,4\n", told).rows() == 1);
}

TEST_CASE("whole numbers may be written with a point, booleans in words") {
  const auto whole = csv_with({{"x", field({0}, CsvDtype::int64)}});
  CHECK(values<std::int64_t>(table_of("3.0\n4e2\n", whole), 0) ==
        std::vector<std::int64_t>{3, 400});
  const auto boolean = csv_with({{"x", field({0}, CsvDtype::bool_)}});
  CHECK(values<std::uint8_t>(table_of("1\nfalse\nTrue\n0\n", boolean), 0) ==
        std::vector<std::uint8_t>{1, 0, 1, 0});
}

TEST_CASE("what is wrong is said with file, line and column") {
  CHECK(complaint("1,2,3\n4,x,6\n", kTwoFields) ==
        "FILE:2: column 1 is not a finite number: 'x' | categories say which words stand for "
        "numbers, as "
        "in categories: [red, green]; field 'x' reads it; columns are counted from 0");
  CHECK(complaint("1,2,3\n4,5,6.5\n", kTwoFields) ==
        "FILE:2: column 2 is not a whole number: '6.5' | field 'y' reads it; columns are counted "
        "from 0");
  CHECK(complaint("1,2,3\n4,,6\n", kTwoFields) ==
        "FILE:2: column 1 is empty | field 'x' reads it; columns are counted from 0");
  CHECK(complaint("1,2,3\nnan,5,6\n", kTwoFields) ==
        "FILE:2: column 0 is not a finite number: 'nan' | a value is missing: fill it in, or leave "
        "the row out; field 'x' reads it; columns are counted from 0");
  CHECK(complaint("1,2,3\n4,5\n", kTwoFields) ==
        "FILE:2: 2 columns, line 1 has 3 | every row of a csv file has the same columns");
  CHECK(complaint("", kTwoFields) == "FILE: no rows | give a file with samples");
  CHECK(complaint("1,2,3\n4,\"5,6\n", kTwoFields) ==
        "FILE:2: a quote is never closed | a quote inside a quoted cell is doubled");
  CHECK(complaint("1,\"2\"x,3\n", kTwoFields) ==
        "FILE:1: text stands behind a closing quote | a quote inside a quoted cell is doubled");
  CHECK(complaint("1,2\n", kTwoFields) ==
        "FILE: there is no column 2 | field 'y' reads it; there are 2 columns, counted from 0");
  CHECK(complaint("name,age\nann,3\n", csv_with({{"x", field({"aeg"})}})) ==
        "FILE: there is no column 'aeg' | field 'x' reads it; did you mean 'age'?");
}

TEST_CASE("a number that the type cannot hold is refused, not made infinite") {
  const auto single = csv_with({{"x", field({0})}});
  CHECK(complaint("1\n1e39\n", single) ==
        "FILE:2: column 0 does not fit float32: '1e39' | write 'dtype: float64' or a scale for the "
        "field 'x'; columns are counted from 0");
  CHECK(values<float>(table_of("3.4028235e38\n", single), 0) ==
        std::vector<float>{0x1.fffffep127F});
  const auto real = csv_with({{"x", field({0}, CsvDtype::float64)}});
  CHECK(values<double>(table_of("1e39\n", real), 0) == std::vector<double>{1e39});
  CHECK(
      complaint("1e400\n", real) ==
      "FILE:1: column 0 is not a finite number: '1e400' | field 'x' reads it; columns are counted "
      "from 0");
  auto scaled = real;
  scaled.fields[0].second.scale = 1e10;
  CHECK(complaint("1e300\n", scaled) ==
        "FILE:1: column 0, scaled, does not fit float64: '1e300' | write a smaller scale for the "
        "field 'x'; columns are counted from 0");
  auto lifted = single;
  lifted.fields[0].second.scale = 2;
  CHECK(
      complaint("3e38\n", lifted) ==
      "FILE:1: column 0, scaled, does not fit float32: '3e38' | write 'dtype: float64' or a scale "
      "for the field 'x'; columns are counted from 0");
  lifted.fields[0].second.scale = 0.5;
  CHECK(values<float>(table_of("4e38\n", lifted), 0) == std::vector<float>{2e38F});
}

TEST_CASE("a whole number is exact or refused") {
  const auto whole = csv_with({{"x", field({0}, CsvDtype::int64)}});
  CHECK(values<std::int64_t>(table_of("9007199254740993\n-9223372036854775808\n", whole), 0) ==
        std::vector<std::int64_t>{9007199254740993, std::numeric_limits<std::int64_t>::min()});
  CHECK(complaint("9223372036854775808\n", whole) ==
        "FILE:1: column 0 does not fit int64: '9223372036854775808' | write another dtype for the "
        "field 'x'; columns are counted from 0");
  CHECK(complaint("9007199254740993.0\n", whole) ==
        "FILE:1: column 0 does not fit int64 exactly: '9007199254740993.0' | write another dtype "
        "for the field 'x'; columns are counted from 0");
  auto halved = whole;
  halved.fields[0].second.scale = 0.5;
  CHECK(complaint("3\n", halved) ==
        "FILE:1: column 0, scaled, is not a whole number: '3' | field 'x' reads it; columns are "
        "counted from 0");
  CHECK(complaint("+-5\n", whole) ==
        "FILE:1: column 0 is not a whole number: '+-5' | field 'x' reads it; columns are counted "
        "from 0");
}

TEST_CASE("numbers as other programs write them are refused with what to do") {
  auto semicolon = csv_with({{"x", field({0})}});
  semicolon.delimiter = ";";
  const std::string advice =
      " | a number has a point, and nothing between thousands; field 'x' reads it; columns are "
      "counted from 0";
  CHECK(complaint("1,5;2\n", semicolon) ==
        "FILE:1: column 0 is not a finite number: '1,5'" + advice);
  CHECK(complaint("\"1,234\";2\n", semicolon) ==
        "FILE:1: column 0 is not a finite number: '1,234'" + advice);
  CHECK(complaint("1\nNA\n", semicolon) ==
        "FILE:2: column 0 is not a finite number: 'NA' | a value is missing: fill it in, or leave "
        "the row out; field 'x' reads it; columns are counted from 0");
  CHECK(
      complaint("1;2;3\n", csv_with({{"x", field({1})}})) ==
      "FILE: there is no column 1 | field 'x' reads it; there is 1 column unless the delimiter is "
      "';', counted from 0");
  CHECK(
      complaint("age\tsize\n1\t2\n", csv_with({{"x", field({"age"})}})) ==
      "FILE: there is no column 'age' | field 'x' reads it; there is 1 column unless the delimiter "
      "is \"\\t\"");
}

TEST_CASE("a first row of data in which a value is missing is no header") {
  const auto second = csv_with({{"x", field({1})}});
  for (const char* missing : {"NA", "", "?", "null", "NaN"})
    CHECK(table_of(std::string(missing) + ",2\n3,4\n", second).rows() == 2);
  CHECK(complaint("7,NA\n3,4\n", second) ==
        "FILE:1: column 1 is not a finite number: 'NA' | a value is missing: fill it in, or leave "
        "the row out; field 'x' reads it; columns are counted from 0");
  // What pandas writes for columns without names.
  CHECK(table_of(",0,1\n0,5.5,6\n1,7,8\n", second).rows() == 2);
  CHECK(table_of("0,1,label\n5.5,6,7\n", second).rows() == 1);
}

TEST_CASE("a first row that may be a header or a sample is neither until the recipe says so") {
  const auto second = csv_with({{"x", field({1})}});
  const std::string doubtful =
      "FILE: the first line may be a header or a sample: some of its cells are words, others "
      "numbers | write header: true or header: false";
  for (const char* row : {"P-001,5", "\"1,200\",10", "$12,10", "inf,10", "-Inf,10", "country,1990"})
    CHECK(complaint(std::string(row) + "\n200,20\n", second) == doubtful);
  auto told = second;
  told.header = false;
  CHECK(values<float>(table_of("P-001,5\n2,4\n", told), 0) == std::vector<float>{5, 4});
  told.header = true;
  CHECK(values<float>(table_of("country,1990\n2,4\n", told), 0) == std::vector<float>{4});
  // Numbers that count up are names, as programs give them.
  CHECK(table_of("id,0,1,2\n7,1,2,3\n", second).rows() == 1);
  CHECK(table_of("#,size\n1,2\n", second).rows() == 1);
}

TEST_CASE("a packed file is named as one") {
  const auto first = csv_with({{"x", field({0})}});
  CHECK(complaint("\x1F\x8B\x08rest", first) == "FILE is packed by gzip | unpack it with gunzip");
  CHECK(complaint("PK\x03\x04rest", first).find("FILE is a zip archive, as workbooks") == 0);
}

TEST_CASE("a name that two columns have is refused where a field uses it") {
  const std::string text = "age,size,age\n1,2,3\n";
  CHECK(complaint(text, csv_with({{"x", field({"age"})}})) ==
        "FILE: columns 0 and 2 are both called 'age' | field 'x' reads it; give the number of the "
        "one that is meant: they are counted from 0");
  CHECK(values<float>(table_of(text, csv_with({{"x", field({"size"})}})), 0) ==
        std::vector<float>{2});
  CHECK(values<float>(table_of(text, csv_with({{"x", field({2})}})), 0) == std::vector<float>{3});
}

TEST_CASE("lines that are blank, end in CR alone or are in UTF-16 are told as what they are") {
  CHECK(complaint("1,2,3\n\n4,5,6\n", kTwoFields) ==
        "FILE:2: the line is blank | leave it out: only lines at the end may be blank");
  CHECK(complaint("1,2,3\r4,5,6\r", kTwoFields) ==
        "FILE: lines end in CR alone | end them in LF, or in CR LF");
  CHECK(complaint(std::string("\xFF\xFE"
                              "1\0,\0",
                              6),
                  kTwoFields) == "FILE is in UTF-16 | save it in UTF-8");
  CHECK(complaint("1,2,3,\n4,5,6\n", kTwoFields) ==
        "FILE:2: 3 columns, line 1 has 4 | every row of a csv file has the same columns");
  CHECK(table_of("1,2,3,\n4,5,6,\n", kTwoFields).rows() == 2);
}

TEST_CASE("a file cut at any length is read or refused, never misread") {
  const std::string whole = "1,\"2\",3\n44,5,66\n\"7\",8,9\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string said = complaint(whole.substr(0, length), kTwoFields);
    INFO(length << ": " << said);
    CHECK((said == "no complaint" || said.find("FILE") == 0));
  }
}

TEST_CASE("a row has at most 32 MiB and a million cells") {
  const std::string said = " | is it a csv file? Its rows end in LF, and a quote is closed";
  CHECK(complaint("1,2,3\n" + std::string(40 << 20, '4') + ",5,6\n", kTwoFields) ==
        "FILE:2: a row of more than 32 MiB" + said);
  CHECK(complaint("1,2,\"" + std::string(40 << 20, '4') + "\"\n", kTwoFields) ==
        "FILE:1: a row of more than 32 MiB" + said);
  CHECK(complaint(std::string(1'000'000, ','), kTwoFields) ==
        "FILE:1: more than 1000000 cells" + said);
  // A file of more bytes than a row may have is read.
  std::string many;
  while (many.size() < 40 << 20) many += "1.25,2.25,3\n";
  CHECK(table_of(many, kTwoFields).rows() == many.size() / 12);
}
