# make install, and find_package(Hardpan) for those who build on the library.
include(CMakePackageConfigHelpers)
install(TARGETS hardpan EXPORT HardpanTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET hardpan_app)
  install(TARGETS hardpan_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY hardpan/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hardpan FILES_MATCHING PATTERN "*.h" PATTERN "app" EXCLUDE PATTERN "test_*.h" EXCLUDE)
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/hardpan OPTIONAL)
install(EXPORT HardpanTargets NAMESPACE Hardpan:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Hardpan)
configure_package_config_file(cmake/HardpanConfig.cmake.in ${CMAKE_BINARY_DIR}/HardpanConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Hardpan)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/HardpanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/HardpanConfig.cmake ${CMAKE_BINARY_DIR}/HardpanConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Hardpan)
