#include "hardpan/record/hdf5_image.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <hdf5.h>

#include "hardpan/core/error.h"
#include "hardpan/core/hash.h"

namespace hardpan::record {
namespace {

constexpr std::int64_t format = 1;
constexpr std::string_view trailer_start = "\nhardpan checksum ";
constexpr std::size_t trailer_size = trailer_start.size() + 16 + 1;

std::string trailer_of(std::string_view data) { return fmt::format("{}{}\n", trailer_start, checksum(data)); }

// ---- HDF5 with exceptions ----------------------------------------------------------------------------

// The C library may be built without thread safety, and prints its errors: one caller at a time, in silence.
class Session {
 public:
  Session() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

template <class Result>
Result must(Result result, std::string_view what) {
  if (result < 0) throw IoError(fmt::format("HDF5 cannot {}", what));
  return result;
}

using Close = herr_t (*)(hid_t);

class Handle {
 public:
  Handle(hid_t id, Close close, std::string_view what) : id_(must(id, what)), close_(close) {}
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

// A file that lives in memory only.
class MemoryFileAccess : public Handle {
 public:
  MemoryFileAccess() : Handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "set file access") {
    constexpr std::size_t growth = 1 << 20;
    must(H5Pset_fapl_core(*this, growth, false), "use its memory driver");
  }
};

class TextType : public Handle {
 public:
  TextType() : Handle(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type") {
    must(H5Tset_size(*this, H5T_VARIABLE), "make a text type");
    must(H5Tset_cset(*this, H5T_CSET_UTF8), "make a text type");
  }
};

hid_t file_type(const std::vector<double>&) { return H5T_IEEE_F64LE; }
hid_t file_type(const std::vector<std::int64_t>&) { return H5T_STD_I64LE; }
hid_t memory_type(const std::vector<double>&) { return H5T_NATIVE_DOUBLE; }
hid_t memory_type(const std::vector<std::int64_t>&) { return H5T_NATIVE_INT64; }

// ---- Writing ------------------------------------------------------------------------------------------

void write_attribute(hid_t object, const char* name, hid_t type_in_file, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a scalar");
  const Handle attribute(H5Acreate2(object, name, type_in_file, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         fmt::format("make the attribute '{}'", name));
  must(H5Awrite(attribute, type, value), fmt::format("write the attribute '{}'", name));
}

void write_attribute(hid_t object, const char* name, std::int64_t value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void write_attribute(hid_t object, const char* name, const std::string& value) {
  const TextType type;
  const char* text = value.c_str();
  write_attribute(object, name, type, type, &text);
}

Handle make_space(const std::vector<std::size_t>& shape) {
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  return {extents.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
          H5Sclose, "make a data space"};
}

// HDF5 takes "", "/", "." and "a//b" for something else than we mean.
bool is_plain_path(std::string_view name) {
  for (;;) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part.find('\0') != part.npos) return false;
    if (slash == name.npos) return true;
    name.remove_prefix(slash + 1);
  }
}

void write_entry(hid_t file, const Archive::Entry& entry, std::int64_t order) {
  HARDPAN_CHECK(is_plain_path(entry.name), "'" + entry.name + "' is no name of a dataset");
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "set link properties");
  must(H5Pset_create_intermediate_group(links, 1), "make groups");
  must(H5Pset_char_encoding(links, H5T_CSET_UTF8), "use UTF-8");
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "set dataset properties");
  must(H5Pset_obj_track_times(creation, false), "leave out time stamps");
  const Handle space = make_space(entry.shape);
  std::visit(
      [&](const auto& values) {
        const Handle dataset(
            H5Dcreate2(file, entry.name.c_str(), file_type(values), space, links, creation, H5P_DEFAULT),
            H5Dclose, fmt::format("make the dataset '{}'", entry.name));
        if (!values.empty())
          must(H5Dwrite(dataset, memory_type(values), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
               fmt::format("write '{}'", entry.name));
        if (!entry.unit.empty()) write_attribute(dataset, "unit", entry.unit);
        write_attribute(dataset, "order", order);
      },
      entry.values);
}

std::string bytes_of(hid_t file) {
  must(H5Fflush(file, H5F_SCOPE_GLOBAL), "finish the file");
  const ssize_t size = must(H5Fget_file_image(file, nullptr, 0), "measure the file");
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(size) + trailer_size);
  bytes.resize(static_cast<std::size_t>(size));
  must(H5Fget_file_image(file, bytes.data(), bytes.size()), "copy the file");
  return bytes;
}

// ---- Reading ------------------------------------------------------------------------------------------

std::int64_t read_integer(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose,
                         fmt::format("find the attribute '{}'", name));
  std::int64_t value = 0;
  must(H5Aread(attribute, H5T_NATIVE_INT64, &value), fmt::format("read the attribute '{}'", name));
  return value;
}

std::string read_text(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose,
                         fmt::format("find the attribute '{}'", name));
  const TextType type;
  char* text = nullptr;
  must(H5Aread(attribute, type, &text), fmt::format("read the attribute '{}'", name));
  std::string value = text ? text : "";
  H5free_memory(text);
  return value;
}

std::vector<std::size_t> shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "read a shape");
  const int rank = must(H5Sget_simple_extent_ndims(space), "read a shape");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  must(H5Sget_simple_extent_dims(space, extents.data(), nullptr), "read a shape");
  return {extents.begin(), extents.end()};
}

template <class T>
std::vector<T> values_of(hid_t dataset, const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (std::size_t extent : shape) count *= extent;
  std::vector<T> values(count);
  if (count > 0)
    must(H5Dread(dataset, memory_type(values), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read values");
  return values;
}

Archive::Entry read_entry(hid_t dataset, const std::string& name) {
  Archive::Entry entry{name, {}, shape_of(dataset), {}};
  if (must(H5Aexists(dataset, "unit"), "look for a unit") > 0) entry.unit = read_text(dataset, "unit");
  const Handle type(H5Dget_type(dataset), H5Tclose, "read a type");
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      entry.values = values_of<double>(dataset, entry.shape);
      break;
    case H5T_INTEGER:
      entry.values = values_of<std::int64_t>(dataset, entry.shape);
      break;
    default:
      throw IoError(fmt::format("'{}' holds neither floats nor integers", name));
  }
  return entry;
}

using Ordered = std::vector<std::pair<std::int64_t, Archive::Entry>>;

std::string child_name(hid_t group, hsize_t index) {
  const auto get = [&](char* into, std::size_t size) {
    return must(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, index, into, size, H5P_DEFAULT),
                "read a name");
  };
  std::string name(static_cast<std::size_t>(get(nullptr, 0)), '\0');
  get(name.data(), name.size() + 1);
  return name;
}

void read_group(hid_t group, const std::string& prefix, Ordered& into) {
  H5G_info_t info{};
  must(H5Gget_info(group, &info), "list a group");
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const std::string name = child_name(group, i);
    const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, "open '" + prefix + name + "'");
    if (H5Iget_type(object) == H5I_GROUP)
      read_group(object, prefix + name + "/", into);
    else
      into.emplace_back(read_integer(object, "order"), read_entry(object, prefix + name));
  }
}

Archive to_archive(Ordered entries) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Archive archive;
  for (auto& [order, entry] : entries) {
    if (const auto* reals = std::get_if<std::vector<double>>(&entry.values))
      archive.put(entry.name, *reals, std::move(entry.shape), entry.unit);
    else
      archive.put(entry.name, std::get<std::vector<std::int64_t>>(entry.values), std::move(entry.shape));
  }
  return archive;
}

Hdf5Image read_image(std::string_view data) {
  const Session session;
  const MemoryFileAccess access;
  // HDF5 copies the bytes; the interface lacks a const.
  must(H5Pset_file_image(access, const_cast<char*>(data.data()), data.size()), "copy the bytes");
  const Handle file(H5Fopen("hardpan-in-memory", H5F_ACC_RDONLY, access), H5Fclose, "open it");
  const std::int64_t found = read_integer(file, "hardpan_format");
  if (found != format) throw IoError(fmt::format("format {}, but this program reads {}", found, format));
  Ordered entries;
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "open the root group");
  read_group(root, "", entries);
  return {read_text(file, "kind"), read_text(file, "version"), to_archive(std::move(entries))};
}

}  // namespace

std::string to_hdf5(const Hdf5Image& image) {
  std::string bytes;
  {
    const Session session;
    const MemoryFileAccess access;
    const Handle file(H5Fcreate("hardpan-in-memory", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose,
                      "make a file in memory");
    write_attribute(file, "hardpan_format", format);
    write_attribute(file, "kind", image.kind);
    write_attribute(file, "version", image.version);
    std::int64_t order = 0;
    for (const Archive::Entry& entry : image.arrays.entries()) write_entry(file, entry, order++);
    bytes = bytes_of(file);
  }
  return bytes += trailer_of(bytes);
}

Hdf5Image from_hdf5(std::string_view bytes, const std::string& where) {
  const std::size_t data_size = bytes.size() - std::min(bytes.size(), trailer_size);
  const std::string_view data = bytes.substr(0, data_size);
  if (data.empty() || bytes.substr(data_size) != trailer_of(data))
    throw IoError(fmt::format("{}: damaged, or not written by Hardpan", where));
  try {
    return read_image(data);
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace hardpan::record
