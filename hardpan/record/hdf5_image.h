// An archive as the bytes of an HDF5 file, and back. Nothing here touches the disk: core/file.h does, so that
// atomic writes, full disks and checksums are dealt with in one place.
//
// Layout: one dataset per entry at the path that is its name, 64-bit little-endian floats or integers,
// contiguous. Attributes of a dataset: `unit` (left out when there is none) and `order` (place in the
// archive). Attributes of the root group: `hardpan_format` (1), `kind`, `version`.
// Behind the HDF5 data, where HDF5 does not look, stands one line with a checksum of all bytes before it:
// HDF5 1.10 can crash on damaged files, so it is only shown bytes that are whole.
// The same archive gives the same bytes: no time stamps are stored.
#pragma once

#include <string>
#include <string_view>

#include "hardpan/core/archive.h"

namespace hardpan::record {

struct Hdf5Image {
  std::string kind;     // "checkpoint" or "frames"
  std::string version;  // of the program that wrote it
  Archive arrays;
};

// IoError when HDF5 refuses, for example two entries of one name.
std::string to_hdf5(const Hdf5Image& image);

// `where` names the bytes in messages. IoError for damaged or foreign bytes, or another format number.
Hdf5Image from_hdf5(std::string_view bytes, const std::string& where);

}  // namespace hardpan::record
