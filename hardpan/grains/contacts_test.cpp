#include "hardpan/grains/contacts.h"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/grains/test_grains.h"

namespace hardpan::grains {
namespace {

using test::Cloud;
using test::margins;
using test::random_cloud;
using Ids = std::set<std::pair<std::uint32_t, std::uint32_t>>;

struct Contact {
  std::uint32_t i, j;
  ContactGroup& group;
  std::size_t k;
  TurnMemory* turning;  // or nothing
};
template <class Visit>  // visit(contact)
void each(Contacts& contacts, const Visit& visit) {
  for (std::size_t c = 0; c < contacts.chunks(); ++c) {
    ChunkContacts& all = contacts.of(c);
    for (std::size_t g = 0; g < all.groups.size(); ++g)
      for (std::size_t k = 0; k < all.groups[g].used; ++k) {
        const std::size_t place = group_width * g + k;
        const auto [i, j] = all.pair(place);
        visit(Contact{i, j, all.groups[g], k, all.turning.empty() ? nullptr : &all.turning[place]});
      }
  }
}

std::vector<std::uint32_t> two_materials(const State& state) {
  std::vector<std::uint32_t> material;
  for (const std::uint32_t id : state.id) material.push_back(id % 3 == 0);
  return material;
}

TEST(Contacts, AreThePairsWithinTheMargin) {
  for (const std::size_t count : {1u, 2u, 600u, 2500u})
    for (const bool periodic : {false, true}) {
      Cloud cloud = random_cloud(count, count, periodic);
      cloud.build(0.008);
      Contacts contacts(count, 2, false);
      const auto material = two_materials(cloud.state);
      contacts.look(cloud.list, cloud.state, cloud.space, material, margins(contacts, 0.003));
      Ids found;
      each(contacts, [&](const Contact& contact) {
        EXPECT_EQ(contact.group.law, 2 * material[contact.i] + material[contact.j]);
        EXPECT_LT(contact.i, contact.j);
        EXPECT_TRUE(found.insert(std::minmax(cloud.state.id[contact.i], cloud.state.id[contact.j])).second);
      });
      EXPECT_EQ(found, cloud.near(0.003));
    }
}

// Each sphere has the margin of its chunk, and gaps are shares of both.
TEST(Contacts, HaveTheMarginsOfTheirChunks) {
  Cloud cloud = random_cloud(11, 2500, false);
  cloud.build(0.008);
  Contacts contacts(2500, 1, false);
  std::vector<double> own(contacts.chunks());
  for (std::size_t c = 0; c < own.size(); ++c) own[c] = c % 2 == 0 ? 0.0005 : 0.004;
  contacts.look(cloud.list, cloud.state, cloud.space, std::vector<std::uint32_t>(2500, 0), own);
  const auto gap = [&](std::size_t i, std::size_t j) {
    const Ball &a = cloud.state[i], &b = cloud.state[j];
    return norm(b.position - a.position) - (a.radius + b.radius);
  };
  const auto both = [&](std::size_t i, std::size_t j) {
    return own[contacts.chunk_of(i)] + own[contacts.chunk_of(j)];
  };
  Ids found, wanted;
  std::size_t levels = 0;
  each(contacts, [&](const Contact& contact) {
    const auto& [i, j, group, k, turning] = contact;
    EXPECT_TRUE(found.insert({i, j}).second);
    const double share = gap(i, j) / both(i, j) * gap_levels;
    EXPECT_EQ(group.level[k], share > 0 ? static_cast<int>(share) : 0);
    levels += group.level[k] > 0;
  });
  for (std::uint32_t i = 0; i < 2500; ++i)
    for (std::uint32_t j = i + 1; j < 2500; ++j)
      if (gap(i, j) < both(i, j)) wanted.insert({i, j});
  EXPECT_EQ(found, wanted);
  EXPECT_GT(levels, 100u);
}

// Groups of a law are those in which somebody touches, then those that rest until whoever is nearest may have
// come near enough.
TEST(Contacts, WakeByTheirGaps) {
  Cloud cloud = random_cloud(11, 2500, false);
  cloud.build(0.008);
  Contacts contacts(2500, 2, false);
  contacts.look(cloud.list, cloud.state, cloud.space, two_materials(cloud.state), margins(contacts, 0.006));
  std::size_t resting = 0;
  for (std::size_t c = 0; c < contacts.chunks(); ++c) {
    const ChunkContacts& all = contacts.of(c);
    ASSERT_EQ(all.rests_until.size(), all.groups.size());
    std::size_t next = 0;
    for (const Section& section : all.sections) {
      EXPECT_EQ(section.first, next);
      next += section.touching + section.resting;
      for (std::size_t g = section.first; g < next; ++g) {
        const ContactGroup& group = all.groups[g];
        EXPECT_EQ(group.law, section.law);
        const int least = *std::ranges::min_element(group.level);
        EXPECT_EQ(g < section.first + section.touching, least == 0);
        EXPECT_EQ(all.rests_until[g], least / 16.0);
      }
      resting += section.resting;
    }
    EXPECT_EQ(next, all.groups.size());
  }
  EXPECT_GT(resting, 50u);
}

// What a contact does to its second goes to a load of that, whose chunk gets all that others have for it.
TEST(Contacts, PassOnWhatIsForOtherChunks) {
  Cloud cloud = random_cloud(5, 5000, false);
  cloud.build(0.008);
  Contacts contacts(5000, 1, false);
  contacts.look(cloud.list, cloud.state, cloud.space, std::vector<std::uint32_t>(5000, 0),
                margins(contacts, 0.003));
  ASSERT_GT(contacts.chunks(), 3u);
  std::size_t guests = 0;
  for (std::size_t c = 0; c < contacts.chunks(); ++c) {
    const std::size_t begin = contacts.begin_of(c), own = contacts.end_of(c) - begin;
    EXPECT_EQ(contacts.loads(c), own + contacts.guests(c).size());
    EXPECT_EQ(contacts.passed_from(c), guests);
    guests += contacts.guests(c).size();
    std::set<std::uint32_t> used;
    for (std::size_t k = 0; k < own; ++k) EXPECT_EQ(contacts.of(c).spheres[k], begin + k);
    for (const ContactGroup& group : contacts.of(c).groups)
      for (std::size_t k = 0; k < group_width; ++k) {
        if (k >= group.used) {
          EXPECT_TRUE(group.from[k] == group.from[0] && group.to[k] == group.to[0]);
          continue;
        }
        EXPECT_LT(group.from[k], own);
        if (group.to[k] >= own) used.insert(contacts.guests(c)[group.to[k] - own]);
      }
    EXPECT_EQ(used, std::set(contacts.guests(c).begin(), contacts.guests(c).end()));
  }
  EXPECT_EQ(contacts.passed(), guests);
  EXPECT_GT(guests, 100u);
  std::set<std::pair<std::uint32_t, std::uint32_t>> visits;  // from which chunk, which guest of it
  for (std::size_t c = 0; c < contacts.chunks(); ++c)
    for (const auto& [from, first, count] : contacts.visitors_of(c)) {
      EXPECT_LT(from, c);
      for (std::uint32_t k = first; k < first + count; ++k) {
        EXPECT_EQ(contacts.chunk_of(contacts.guests(from)[k]), c);
        EXPECT_TRUE(visits.insert({from, k}).second);
      }
    }
  EXPECT_EQ(visits.size(), guests);
}

// Nobody reads what another thread writes, but for copies.
TEST(Contacts, CopiesAreReadByOtherThreads) {
  constexpr std::size_t count = 5000;
  Cloud cloud = random_cloud(5, count, false);
  cloud.build(0.008);
  Contacts contacts(count, 1, false);
  contacts.look(cloud.list, cloud.state, cloud.space, std::vector<std::uint32_t>(count, 0),
                margins(contacts, 0.003));
  for (const std::size_t threads : {2u, 3u, 100u, 1u}) {
    contacts.lay_copies(threads);
    const auto part = [&](std::size_t chunk) {
      return part_of(chunk, contacts.chunks(), std::min(threads, contacts.chunks()));
    };
    std::vector<std::uint32_t> of_place(count + contacts.copies());
    std::iota(of_place.begin(), of_place.end(), 0u);
    std::size_t copies = 0;
    for (std::size_t c = 0; c < contacts.chunks(); ++c) {
      const auto& [spheres, from] = contacts.copied(c);
      EXPECT_EQ(from, count + copies);
      for (const std::uint32_t sphere : spheres) {
        EXPECT_EQ(contacts.chunk_of(sphere), c);
        of_place[count + copies++] = sphere;
      }
    }
    EXPECT_EQ(copies, contacts.copies());
    std::set<std::uint32_t> read;
    for (std::size_t c = 0; c < contacts.chunks(); ++c) {
      const ChunkContacts& all = contacts.of(c);
      ASSERT_EQ(all.places().size(), all.spheres.size());
      for (std::size_t k = 0; k < all.spheres.size(); ++k) {
        const std::uint32_t place = all.places()[k];
        EXPECT_EQ(of_place[place], all.spheres[k]);
        EXPECT_EQ(place >= count, part(contacts.chunk_of(all.spheres[k])) != part(c));
        if (place >= count) read.insert(place);
      }
    }
    EXPECT_EQ(read.size(), copies);  // none in vain
    EXPECT_EQ(copies > 50, threads > 1);
  }
}

Memory mark(std::uint32_t a, std::uint32_t b) {
  return {{1.0 + std::max(a, b), 1.0 + std::min(a, b), a < b ? 1.0 : -1.0}, 5, {1.0 + std::max(a, b), 0, 0}};
}

void fill(Contacts& contacts, const State& state) {
  each(contacts, [&](const Contact& contact) {
    const std::uint32_t a = state.id[contact.i], b = state.id[contact.j];
    Memory memory = mark(a, b);
    if (a > b)
      memory.force = {-memory.force.x, -memory.force.y, memory.force.z}, memory.velocity = -memory.velocity;
    contact.group.set(contact.k, memory);
    *contact.turning = {memory.force, 3, 2, 1, memory.velocity};
  });
}

void expect_filled(Contacts& contacts, const State& state) {
  std::size_t flipped = 0;
  each(contacts, [&](const Contact& contact) {
    const std::uint32_t a = state.id[contact.i], b = state.id[contact.j];
    const double sign = a < b ? 1 : -1;
    flipped += a > b;
    const Memory memory = contact.group.memory(contact.k);
    EXPECT_EQ(sign * memory.force.x, mark(a, b).force.x);
    EXPECT_EQ(sign * memory.force.y, mark(a, b).force.y);
    EXPECT_EQ(memory.compliance, 5);
    EXPECT_EQ(sign * memory.velocity.x, mark(a, b).velocity.x);
    EXPECT_EQ(norm(contact.turning->rate - memory.velocity), 0);
    EXPECT_EQ(norm(contact.turning->roll - memory.force), 0);
    EXPECT_EQ(contact.turning->twist, 3);  // about a normal that turns round with it
  });
  EXPECT_GT(flipped, 10u);
}

// Whoever is first in the present order, the force on the grain with the larger identity is what it was.
TEST(Contacts, MemoryOutlivesOrders) {
  Cloud cloud = random_cloud(7, 2500, false);
  cloud.build(0.008);
  Contacts contacts(2500, 2, true);
  contacts.look(cloud.list, cloud.state, cloud.space, two_materials(cloud.state), margins(contacts, 0));
  fill(contacts, cloud.state);
  // Mirrored, so that cells, and with them spheres, stand in another order.
  const State before = cloud.state;
  for (Ball& ball : cloud.state.balls)
    ball.position = {1 - ball.position.x, 0.7 - ball.position.y, ball.position.z};
  cloud.build(0.008);
  ASSERT_NE(before.id, cloud.state.id);
  std::vector<std::uint32_t> by_id(2500), place(2500);
  for (std::uint32_t i = 0; i < 2500; ++i) by_id[cloud.state.id[i]] = i;
  for (std::uint32_t i = 0; i < 2500; ++i) place[i] = by_id[before.id[i]];
  contacts.renumber(place);
  contacts.look(cloud.list, cloud.state, cloud.space, two_materials(cloud.state), margins(contacts, 0));
  expect_filled(contacts, cloud.state);
  // And when they are looked at again in the same order; those beyond the margin stay if they remember.
  const auto count = [&] {
    std::size_t all = 0;
    each(contacts, [&](const Contact&) { ++all; });
    return all;
  };
  const std::size_t all = count();
  contacts.look(cloud.list, cloud.state, cloud.space, two_materials(cloud.state), margins(contacts, -0.005));
  expect_filled(contacts, cloud.state);
  EXPECT_EQ(count(), all);
}

TEST(Contacts, AreTheSameWhenRestored) {
  Cloud cloud = random_cloud(7, 2500, true);
  cloud.build(0.008);
  const auto material = two_materials(cloud.state);
  Contacts contacts(2500, 2, true), restored(2500, 2, true);
  contacts.look(cloud.list, cloud.state, cloud.space, material, margins(contacts, 0));
  fill(contacts, cloud.state);
  contacts.look(cloud.list, cloud.state, cloud.space, material,
                margins(contacts, 0.002));  // some remember nothing
  Archive archive;
  contacts.save(cloud.state.id, archive);
  restored.restore(archive, cloud.state, material, margins(contacts, 0.002));
  ASSERT_EQ(contacts.passed(), restored.passed());
  for (std::size_t c = 0; c < contacts.chunks(); ++c) {
    const ChunkContacts &before = contacts.of(c), &after = restored.of(c);
    ASSERT_EQ(before.groups.size(), after.groups.size());
    for (std::size_t g = 0; g < before.groups.size(); ++g) {
      const ContactGroup &a = before.groups[g], &b = after.groups[g];
      EXPECT_TRUE(a.from == b.from && a.to == b.to && a.law == b.law && a.used == b.used);
      EXPECT_TRUE(a.f_x == b.f_x && a.f_y == b.f_y && a.f_z == b.f_z && a.compliance == b.compliance);
      EXPECT_TRUE(a.v_x == b.v_x && a.v_y == b.v_y && a.v_z == b.v_z);
      EXPECT_EQ(a.level, b.level);
    }
    ASSERT_EQ(before.sections.size(), after.sections.size());
    for (std::size_t s = 0; s < before.sections.size(); ++s) {
      const Section &a = before.sections[s], &b = after.sections[s];
      EXPECT_TRUE(a.law == b.law && a.first == b.first);
      EXPECT_TRUE(a.touching == b.touching && a.resting == b.resting);
    }
    EXPECT_EQ(before.rests_until, after.rests_until);
    EXPECT_EQ(before.reach, after.reach);
    EXPECT_EQ(before.spheres, after.spheres);
    EXPECT_EQ(before.equal, after.equal);
    for (std::size_t k = 0; k < before.turning.size(); ++k)
      EXPECT_EQ(norm(before.turning[k].roll - after.turning[k].roll), 0);
  }
}

TEST(Contacts, RefuseToRestoreWhatIsNotThere) {
  Cloud cloud = random_cloud(7, 600, false);
  cloud.build(0.008);
  Contacts contacts(600, 1, false), fewer(300, 1, false);
  const std::vector<std::uint32_t> material(600, 0);
  contacts.look(cloud.list, cloud.state, cloud.space, material, margins(contacts, 0));
  Archive archive;
  contacts.save(cloud.state.id, archive);
  State some;
  for (std::uint32_t i = 0; i < 300; ++i) some.id.push_back(i), some.balls.push_back(cloud.state[i]);
  EXPECT_THROW(fewer.restore(archive, some, material, margins(contacts, 0.002)), IoError);
}

}  // namespace
}  // namespace hardpan::grains
