#include "runner/data/images/image_source.h"

#include "runner/data/sets/sets.h"
#include "runner/files/read.h"
#include "tests/data/arrays/files.h"

using namespace knead;
using namespace knead::tests;
using data::ImageSource;

namespace {

const std::string kPng = files::read_text(KNEAD_ROOT "/tests/fixtures/images/colour.png");
const std::string kLarge = files::read_text(KNEAD_ROOT "/tests/fixtures/images/large.jpg");

recipe::Images images(const std::filesystem::path& path) {
  recipe::Images out;
  out.path = path;
  out.channels = 3;
  return out;
}

std::vector<std::int64_t> labels(const ImageSource& source) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < source.rows(); ++row) rows.push_back(row);
  std::vector<std::int64_t> out(rows.size());
  source.read(1, {rows}, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

using Labels = std::vector<std::int64_t>;

/// Returns the message with which sets of these images for training and validation are refused.
std::string sets_refusal(const recipe::Images& train, const recipe::Images& validation) {
  recipe::Data data;
  data.train = train;
  data.validation = validation;
  data.shuffle = true;
  data.drop_last = false;
  data.workers = data.prefetch = 1;
  return refusal([&] { data::read_sets(data, 1); });
}

}  // namespace

TEST_CASE("a folder per class gives images sorted by name, and the numbers of their classes") {
  const Folder folder;
  for (const char* name : {"dog/b.PNG", "dog/a.png", "cat/z.png"}) folder.write(name, kPng);
  folder.write("dog/notes.txt", "no image");
  folder.write("dog/.hidden.png", "no image");
  const ImageSource source(images(folder.path()));
  CHECK(data::list_images(images(folder.path())).paths ==
        std::vector<std::string>{"cat/z.png", "dog/a.png", "dog/b.PNG"});
  CHECK(labels(source) == Labels{0, 1, 1});
  CHECK(source.fields()[0].shape == std::vector<std::int64_t>{3, 9, 13});
}

TEST_CASE("folders below that of a class belong to it, in torchvision's order") {
  const Folder folder;
  // sorted(os.walk("dog")) compares whole paths: '-' stands before '/', and capitals before both.
  for (const char* name : {"dog/z.png", "dog/a/b/1.png", "dog/a-b/2.png", "dog/a/9.png",
                           "dog/B/3.png", "cat/deep/er/c.png"})
    folder.write(name, kPng);
  folder.write("dog/.git/h.png", kPng);
  folder.write("dog/empty.png/notes.txt", "in a folder with the name of an image");
  folder.write("elsewhere.png", kPng);
  std::filesystem::create_directory_symlink(folder.path() / "cat/deep", folder.path() / "dog/l");
  std::filesystem::create_symlink(folder.path() / "elsewhere.png", folder.path() / "dog/k.png");
  CHECK(data::list_images(images(folder.path())).paths ==
        std::vector<std::string>{"cat/deep/er/c.png", "dog/k.png", "dog/z.png", "dog/B/3.png",
                                 "dog/a/9.png", "dog/a-b/2.png", "dog/a/b/1.png",
                                 "dog/l/er/c.png"});
  CHECK(labels(ImageSource(images(folder.path()))) == Labels{0, 1, 1, 1, 1, 1, 1, 1});
  std::filesystem::create_directory_symlink(folder.path() / "dog/a", folder.path() / "dog/a/b/up");
  const std::string where = folder.path().string();
  CHECK(refusal([&] { ImageSource{images(folder.path())}; }) ==
        where + "/dog/a/b/up leads back to " + where + "/dog/a, which it lies in");
}

TEST_CASE("an image that torchvision would read and knead does not is refused, not left out") {
  const Folder folder;
  folder.write("cat/a.png", kPng);
  folder.write("cat/more/b.WebP", "RIFF");
  CHECK(refusal([&] { ImageSource{images(folder.path())}; }) ==
        folder.path().string() + "/cat/more/b.WebP is neither a JPEG nor a PNG file");
}

TEST_CASE("pixels become planes from 0 to 1") {
  const Folder folder;
  folder.write("cat/a.png", kPng);
  const ImageSource source(images(folder.path()));
  const data::Pixels pixels = data::decode_image(kPng, 3, "a.png");
  std::vector<float> planes(3 * 9 * 13);
  const std::uint64_t row = 0;
  source.read(0, {{&row, 1}}, reinterpret_cast<std::byte*>(planes.data()));
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < 9 * 13; ++i)
      REQUIRE(planes[c * 9 * 13 + i] == static_cast<float>(pixels.values[3 * i + c]) / 255.0F);
  }
}

TEST_CASE("a list gives its images in its order, with numbers or words as labels") {
  const Folder folder;
  folder.write("a.png", kPng);
  folder.write("deep/b.png", kPng);
  const auto list = [&](const std::string& text) { return images(folder.write("list.csv", text)); };
  CHECK(labels(ImageSource(list("path,label\ndeep/b.png,7\na.png,3\n"))) == Labels{7, 3});
  CHECK(labels(ImageSource(list("deep/b.png,rose\na.png,daisy\na.png,rose\n"))) == Labels{1, 0, 1});
  CHECK(ImageSource(list("a.png\ndeep/b.png\n")).fields().size() == 1);
  recipe::Images named = list("a.png,rose\n");
  named.classes = {{"tulip", "rose"}};
  CHECK(labels(ImageSource(named)) == Labels{1});
}

TEST_CASE("images without labels are read where the classes are known, to predict from") {
  const Folder folder;
  for (const char* name : {"b.png", "a.png", "img/cat/c.png"}) folder.write(name, kPng);
  recipe::Images one = images(folder / "a.png");
  one.classes = {{"cat", "dog"}};
  CHECK(ImageSource(one).rows() == 1);
  CHECK(ImageSource(one).fields().size() == 1);
  recipe::Images flat = images(folder / "img/cat");
  CHECK(refusal([&] { ImageSource{flat}; }) ==
        (folder / "img/cat").string() + " has no folder of images");
  flat.classes = one.classes;
  CHECK(ImageSource(flat).fields().size() == 1);
}

TEST_CASE("labels of which it is doubtful what they name are refused with their lines") {
  const Folder folder;
  for (const char* name : {"a.png", "b.png", "img/cat/a.png"}) folder.write(name, kPng);
  std::filesystem::create_directory(folder / "img/__MACOSX");
  const std::string file = (folder / "list.csv").string();
  const auto why = [&](const std::string& text) {
    return refusal([&] { ImageSource{images(folder.write("list.csv", text))}; });
  };
  CHECK(why("a.png,0\nb.png,\n") == file + ":2: the label is missing");
  CHECK(why("a.png,3.5\nb.png,1\n") == file + ":1: the label 3.5 is no whole number");
  CHECK(why("a.png,10\nb.png,none\n") ==
        file + ": 'none' in line 2 is a word, 10 in line 1 a number");
  CHECK(labels(ImageSource(images(folder.write("list.csv", "a.png, cat\n b.png,cat \n")))) ==
        Labels{0, 0});
  CHECK(refusal([&] { ImageSource{images(folder / "img")}; }) ==
        (folder / "img/__MACOSX").string() + " has no image");
  recipe::Images named = images(folder / "img");
  named.classes = {{"__MACOSX", "cat"}};
  CHECK(labels(ImageSource(named)) == Labels{1});
}

TEST_CASE("names of classes do not get numbers beside a training set that has only numbers") {
  const Folder folder;
  for (const char* name : {"img/cat/a.png", "img/dog/b.png", "digits/0/a.png", "digits/1/b.png"})
    folder.write(name, kPng);
  const auto list = [&](const std::string& name, const char* cat, const char* dog) {
    return images(
        folder.write(name, std::string("img/cat/a.png,") + cat + "\nimg/dog/b.png," + dog + "\n"));
  };
  const recipe::Images numbers = list("numbers.csv", "1", "0");
  const recipe::Images words = list("words.csv", "cat", "dog");
  recipe::Images folders = images(folder / "img");
  const std::string why =
      "the images of data.train are labelled by numbers, and those of data.validation by names";
  CHECK(sets_refusal(numbers, words) == why);
  CHECK(sets_refusal(numbers, folders) == why);
  CHECK(sets_refusal(numbers, numbers).empty());
  CHECK(sets_refusal(numbers, images(folder / "digits")).empty());
  CHECK(sets_refusal(images(folder.write("paths.csv", "img/cat/a.png\n")), words).empty());
  folders.classes = {{"dog", "cat"}};
  CHECK(sets_refusal(numbers, folders).empty());
  CHECK(sets_refusal(words, numbers) ==
        (folder / "numbers.csv").string() + ":1: '1' is none of the 2 classes");
}

TEST_CASE("what is wrong with a folder or a list of images is said with its place") {
  const Folder folder;
  folder.write("cat/a.png", kPng);
  folder.write("cat/b.jpg", kLarge);
  const std::uint64_t second = 1;
  std::vector<float> out(3 * 9 * 13);
  const auto read_second = [&] {
    ImageSource(images(folder.path()))
        .read(0, {{&second, 1}}, reinterpret_cast<std::byte*>(out.data()));
  };
  const std::string where = folder.path().string();
  CHECK(refusal(read_second) == where + "/cat/b.jpg has 48 × 64 pixels, the first image 13 × 9");
  folder.write("cat/b.jpg", kLarge.substr(0, 900));
  CHECK(refusal(read_second).rfind(where + "/cat/b.jpg cannot be decoded: ", 0) == 0);
  folder.write("cat/b.jpg", "text");
  CHECK(refusal(read_second) == where + "/cat/b.jpg is neither a JPEG nor a PNG file");

  recipe::Images other = images(folder.path());
  other.classes = {{"cats", "dogs"}};
  CHECK(refusal([&] { ImageSource{other}; }) == where + ": 'cat' is none of the 2 classes");
  CHECK(refusal([&] { ImageSource{images(folder.path() / "cat")}; }) ==
        where + "/cat has no folder of images");
  CHECK(refusal([&] { ImageSource{images("/nowhere")}; }) ==
        "cannot read /nowhere: No such file or directory");
  CHECK(refusal([&] { ImageSource{images(folder.write("l.csv", "a.png,1,2\n"))}; }) ==
        where + "/l.csv:1: 3 columns");
  CHECK(refusal([&] { ImageSource{images(folder.write("l.csv", "path,label\n"))}; }) ==
        where + "/l.csv: no images");
}

TEST_CASE("a folder of images is recognised by its names and by some of its files") {
  const Folder folder;
  folder.write("cat/a.png", kPng);
  const std::string before = data::images_digest(images(folder.path()));
  CHECK(data::images_digest(images(folder.path())) == before);
  folder.write("cat/a.png", kLarge);
  const std::string other_content = data::images_digest(images(folder.path()));
  CHECK(other_content != before);
  folder.write("cat/b.png", kPng);
  CHECK(data::images_digest(images(folder.path())) != other_content);
}
