#include "hardpan/record/hdf5_image.h"

#include <limits>
#include <set>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <rapidcheck.h>

#include "hardpan/core/error.h"
#include "hardpan/core/hash.h"

namespace hardpan::record {
namespace {

void expect_equal(const Archive& a, const Archive& b) {
  EXPECT_EQ(a.hash(), b.hash());  // bits, so that NaN compares too
  ASSERT_EQ(a.entries().size(), b.entries().size());
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    EXPECT_EQ(a.entries()[i].name, b.entries()[i].name);
    EXPECT_EQ(a.entries()[i].unit, b.entries()[i].unit);
    EXPECT_EQ(a.entries()[i].shape, b.entries()[i].shape);
    EXPECT_EQ(a.entries()[i].values.index(), b.entries()[i].values.index());
  }
}

Archive sample() {
  Archive archive;
  archive.put("z/last name first", std::vector<double>{1, 2, 3, 4, 5, 6}, {2, 3}, "m/s²");
  archive.put("a/deep/path", std::vector<std::int64_t>{-1, 1}, {2});
  archive.put("z/empty", std::span<const double>(), {0, 3}, "N s");
  archive.put("z/also empty", std::span<const std::int64_t>(), {4, 0});
  archive.put("scalar", std::numeric_limits<double>::quiet_NaN(), "kg");
  archive.put("count", std::numeric_limits<std::int64_t>::min());
  return archive;
}

TEST(Hdf5Image, RoundTripKeepsOrderShapesUnitsAndBits) {
  const Hdf5Image back = from_hdf5(to_hdf5({"checkpoint", "1.2.3", sample()}), "x");
  EXPECT_EQ(back.kind, "checkpoint");
  EXPECT_EQ(back.version, "1.2.3");
  expect_equal(back.arrays, sample());
}

TEST(Hdf5Image, EmptyArchive) {
  EXPECT_TRUE(from_hdf5(to_hdf5({"frames", "1", {}}), "x").arrays.entries().empty());
}

TEST(Hdf5Image, SameArchiveSameBytes) {
  EXPECT_EQ(to_hdf5({"frames", "1", sample()}), to_hdf5({"frames", "1", sample()}));
}

Archive random_archive() {
  Archive archive;
  std::set<std::string> names;
  const auto count = *rc::gen::inRange<std::size_t>(0, 8);
  for (std::size_t i = 0; i < count; ++i) {
    const auto extent = rc::gen::inRange<std::size_t>(0, 4);
    const auto shape = *rc::gen::resize(4, rc::gen::container<std::vector<std::size_t>>(extent));
    std::size_t size = 1;
    for (std::size_t e : shape) size *= e;
    // Groups are g0, g1 and datasets d0, d1, ..., so that no name is both.
    std::string name = fmt::format("d{}", *rc::gen::inRange(0, 9));
    const int depth = *rc::gen::inRange(0, 3);
    for (int d = 0; d < depth; ++d) name = fmt::format("g{}/{}", *rc::gen::inRange(0, 2), name);
    if (!names.insert(name).second) continue;
    if (*rc::gen::arbitrary<bool>())
      archive.put(name, *rc::gen::container<std::vector<double>>(size, rc::gen::arbitrary<double>()), shape,
                  "J");
    else
      archive.put(name,
                  *rc::gen::container<std::vector<std::int64_t>>(size, rc::gen::arbitrary<std::int64_t>()),
                  shape);
  }
  return archive;
}

TEST(Hdf5Image, RandomArchivesRoundTrip) {
  EXPECT_TRUE(rc::check([] {
    const Archive archive = random_archive();
    const Archive back = from_hdf5(to_hdf5({"frames", "1", archive}), "x").arrays;
    expect_equal(back, archive);
    RC_ASSERT(back.hash() == archive.hash());
  }));
}

TEST(Hdf5Image, DamageIsAnIoErrorEverywhere) {
  const std::string good = to_hdf5({"checkpoint", "1", sample()});
  for (std::size_t size = 0; size < good.size(); size += 37)
    EXPECT_THROW(from_hdf5(std::string_view(good).substr(0, size), "x"), IoError) << size;
  for (std::size_t at = 0; at < good.size(); at += 11) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
    EXPECT_THROW(from_hdf5(bad, "x"), IoError) << at;
  }
  EXPECT_THROW(from_hdf5(good + "x", "x"), IoError);
  EXPECT_THROW(from_hdf5("", "x"), IoError);
}

TEST(Hdf5Image, ForeignBytesWithAGoodChecksumAreAnIoError) {
  const std::string text = "not HDF5 at all";
  EXPECT_THROW(from_hdf5(text + "\nhardpan checksum " + checksum(text) + "\n", "x"), IoError);
}

TEST(Hdf5Image, OtherFormatNumberIsNamed) {
  // A file of tomorrow, made by changing the attribute through HDF5 itself.
  std::string bytes = to_hdf5({"frames", "1", {}});
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, false);
  H5Pset_file_image(access, bytes.data(), bytes.size());
  const hid_t file = H5Fopen("test-format", H5F_ACC_RDWR, access);
  const hid_t attribute = H5Aopen(file, "hardpan_format", H5P_DEFAULT);
  const std::int64_t future = 2;
  H5Awrite(attribute, H5T_NATIVE_INT64, &future);
  H5Aclose(attribute);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  std::string changed(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)), '\0');
  H5Fget_file_image(file, changed.data(), changed.size());
  H5Fclose(file);
  H5Pclose(access);
  try {
    from_hdf5(changed + "\nhardpan checksum " + checksum(changed) + "\n", "some.h5");
    FAIL();
  } catch (const IoError& error) {
    EXPECT_STREQ(error.what(), "some.h5: format 2, but this program reads 1");
  }
}

TEST(Hdf5Image, BadNamesAreRefused) {
  for (const char* name : {"", "/a", "a/", "a//b", ".", "a/./b"}) {
    Archive archive;
    archive.put(name, 1.0);
    EXPECT_THROW(to_hdf5({"frames", "1", archive}), InvariantError) << name;
  }
  Archive twice;
  twice.put("a", 1.0);
  twice.put("a", 1.0);
  EXPECT_THROW(to_hdf5({"frames", "1", twice}), IoError);
}

}  // namespace
}  // namespace hardpan::record
