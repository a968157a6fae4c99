#include "hardpan/scenario/merge.h"

namespace hardpan::scenario {

void merge(Value& base, const Value& over) {
  for (const Value::Entry& entry : over.entries()) {
    Value* present = base.find(entry.key);
    if (present && entry.value.is(Value::Type::null))
      base.erase(entry.key);
    else if (present && present->is(Value::Type::map) && entry.value.is(Value::Type::map))
      merge(*present, entry.value);
    else
      base.set(entry.key, entry.value, entry.key_place);
  }
  base.set_place(over.place());
}

}  // namespace hardpan::scenario
