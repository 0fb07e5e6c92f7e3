#include "runner/data/tar/open_tar.h"

#include <fmt/format.h>

#include "runner/data/tar/file_reader.h"
#include "runner/data/tar/tar_index.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

std::vector<TarIndex::Wanted> wanted_by(const recipe::Tar& tar) {
  std::vector<TarIndex::Wanted> wanted;
  for (const auto& [name, field] : tar.fields) wanted.push_back({name, field.extension});
  return wanted;
}

/// Reads samples from the files of archives.
class TarSource final : public Source {
 public:
  explicit TarSource(const recipe::Tar& tar) : index_(plain_tars(tar), wanted_by(tar)) {
    for (std::size_t i = 0; i < tar.fields.size(); ++i) {
      readers_.push_back(make_reader(tar.fields[i].first, tar.fields[i].second));
      with_file(0, i, [&](std::string_view file, const std::string& name) {
        readers_[i]->look_at(file, name);
      });
      fields_.push_back(readers_[i]->field());
    }
  }

  std::uint64_t rows() const override { return index_.samples(); }
  const std::vector<Field>& fields() const override { return fields_; }

  void read(std::size_t field, const Request& request, std::byte* destination) const override {
    const std::size_t bytes = fields_[field].bytes_per_sample();
    for (const std::uint64_t row : request.rows) {
      with_file(row, field, [&](std::string_view file, const std::string& name) {
        readers_[field]->read(file, name, destination);
      });
      destination += bytes;
    }
  }

 private:
  /// Calls `use` with a file and adds its offset in the archive to errors.
  template <class Use>
  void with_file(std::uint64_t sample, std::size_t field, const Use& use) const {
    const std::string file = index_.read(sample, field);
    try {
      use(file, index_.name_of(sample, field));
    } catch (const Error& error) {
      throw Error(fmt::format("{}; the file begins at byte {} of the archive", error.what(),
                              index_.entry(sample, field).begin),
                  error.remedy());
    }
  }

  TarIndex index_;
  std::vector<std::unique_ptr<FileReader>> readers_;
  std::vector<Field> fields_;
};

}  // namespace

std::shared_ptr<const Source> open_tar(const recipe::Tar& tar) {
  return std::make_shared<const TarSource>(tar);
}

}  // namespace knead::data
