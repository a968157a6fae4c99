#include "hardpan/record/compress.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/core/error.h"
#include "hardpan/record/test_pages.h"

namespace hardpan::record {
namespace {

TEST(Base64, KnownVectors) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(Base64, ReadsBack) {
  EXPECT_TRUE(
      rc::check([](const std::string& bytes) { RC_ASSERT(testing::from_base64(base64(bytes)) == bytes); }));
}

std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 12345;
  for (char& c : bytes) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

TEST(Gzip, RoundTripOfEverySize) {
  for (std::size_t size : {0, 1, 65535, 65536, 65537, 300'000, 5'000'000})
    for (const std::string& bytes : {std::string(size, 'a'), noise(size)}) {
      EXPECT_EQ(gunzip(gzip(bytes)), bytes) << size;
      EXPECT_EQ(gunzip(gzip(bytes, 1)), bytes) << size;
    }
  EXPECT_LT(gzip(std::string(300'000, 'a')).size(), 1000u);
}

TEST(Gzip, RandomBytes) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    RC_ASSERT(gunzip(gzip(bytes)) == bytes);
    RC_ASSERT(gzip(bytes) == gzip(bytes));
  }));
}

TEST(Gzip, DamageIsAnError) {
  const std::string good = gzip(noise(100'000));
  std::string flipped = good;
  flipped[flipped.size() / 2] ^= 1;
  EXPECT_THROW(gunzip(flipped), IoError);
  EXPECT_THROW(gunzip(good.substr(0, good.size() / 2)), IoError);
  EXPECT_THROW(gunzip("no gzip"), IoError);
  EXPECT_THROW(gunzip(""), IoError);
}

}  // namespace
}  // namespace hardpan::record
