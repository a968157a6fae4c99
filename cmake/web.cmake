# The pages for browsers: web/src, bundled by esbuild and compiled in as hardpan_pages.
#   HARDPAN_WEB = AUTO  with Node.js and npm where they are there, and the packages of web/package-lock.json can be had
#                 ON    an error without them
#                 OFF   never: reports hold SVG curves, there is no viewer
set(HARDPAN_WEB AUTO CACHE STRING "Pages for browsers: AUTO, ON or OFF")
set_property(CACHE HARDPAN_WEB PROPERTY STRINGS AUTO ON OFF)

set(web_out ${CMAKE_BINARY_DIR}/web)
set(web_modules ${web_out}/node_modules)
set(web_problem "")
if(HARDPAN_WEB STREQUAL "OFF")
  set(web_problem "HARDPAN_WEB is OFF")
else()
  find_program(HARDPAN_NODE NAMES node nodejs)
  find_program(HARDPAN_NPM npm)
  if(NOT HARDPAN_NODE OR NOT HARDPAN_NPM)
    set(web_problem "Node.js and npm are not installed")
  endif()
endif()

# Packages are fetched when configuring, so that a machine without network is told so and builds on without pages.
if(NOT web_problem)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/package-lock.json)
  set(web_with "build")
  if(HARDPAN_TESTS)
    set(web_with "build and tests")
  endif()
  file(SHA256 ${CMAKE_SOURCE_DIR}/web/package-lock.json web_wanted)
  string(APPEND web_wanted " for ${web_with}")
  set(web_have "")
  if(EXISTS ${web_out}/packages)
    file(READ ${web_out}/packages web_have)
  endif()
  if(NOT web_have STREQUAL web_wanted)
    message(STATUS "Fetching the packages of web/package-lock.json (${web_out}/npm.log)")
    file(MAKE_DIRECTORY ${web_out})
    configure_file(web/package.json ${web_out}/package.json COPYONLY)
    configure_file(web/package-lock.json ${web_out}/package-lock.json COPYONLY)
    set(web_omit --omit=dev)
    if(HARDPAN_TESTS)
      set(web_omit)
    endif()
    execute_process(COMMAND ${HARDPAN_NPM} ci --ignore-scripts --no-audit --no-fund --no-progress ${web_omit}
                    WORKING_DIRECTORY ${web_out} RESULT_VARIABLE web_failed OUTPUT_FILE ${web_out}/npm.log
                    ERROR_FILE ${web_out}/npm.log TIMEOUT 300)
    if(web_failed)
      set(web_problem "npm could not fetch the packages (${web_out}/npm.log)")
    else()
      file(WRITE ${web_out}/packages "${web_wanted}")
    endif()
  endif()
endif()

if(NOT web_problem)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS web/src/*)
  add_custom_command(OUTPUT ${web_out}/pages.cpp
                     COMMAND ${HARDPAN_NODE} ${CMAKE_SOURCE_DIR}/web/build.mjs ${web_out} ${web_modules}
                     DEPENDS ${web_sources} web/build.mjs ${web_out}/packages
                     COMMENT "Bundling the pages" VERBATIM)
  # Types are checked by a test; the packages lie in the build folder.
  file(CONFIGURE OUTPUT ${web_out}/tsconfig.json CONTENT [[{
  "extends": "@CMAKE_SOURCE_DIR@/web/tsconfig.json",
  "compilerOptions": {
    "paths": {
      "three": ["@web_modules@/@types/three"],
      "three/addons/*": ["@web_modules@/@types/three/examples/jsm/*"],
      "*": ["@web_modules@/*"]
    }
  },
  "include": ["@CMAKE_SOURCE_DIR@/web/src"]
}
]] @ONLY)
  set(hardpan_pages ${web_out}/pages.cpp)
  set(HARDPAN_PAGES ON)
else()
  if(HARDPAN_WEB STREQUAL "ON")
    message(FATAL_ERROR "No pages for browsers: ${web_problem}")
  elseif(HARDPAN_WEB STREQUAL "AUTO")
    message(WARNING "Building without pages for browsers: ${web_problem}. Reports will hold plain curves, and "
                    "'hardpan view' will not work. Install nodejs and npm and build again to have them.")
  endif()
  file(CONFIGURE OUTPUT ${web_out}/no_pages.cpp CONTENT [[
#include "hardpan/record/pages.h"
namespace hardpan::record::pages {
const std::string_view script, style, viewer;
}
]])
  set(hardpan_pages ${web_out}/no_pages.cpp)
  set(HARDPAN_PAGES OFF)
endif()
