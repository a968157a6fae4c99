// What grains look like at an instant: numbers for each of them, in the order of their identities, and the
// forces between them.
//
// The stress of a grain is the mean over its volume V of what its contacts do to it,
//
//     sigma = (1/V) sum f (x) l,     l from its centre to the contact, f the force on the grain
//
// tension positive; the mean over a region of soil is the sum of V sigma over its grains, over the volume of
// the region (Bagi, Mech. Mater. 22 (1996) 165-177). Weight and spin are left out: their share goes with
// rho g r.
#pragma once

#include "hardpan/core/archive.h"
#include "hardpan/couple/body_contact.h"
#include "hardpan/couple/grain_bed.h"

namespace hardpan::couple {

// Arrays of a frame: grains/{position, velocity, radius, coordination, pressure, stress}, stress as xx, yy,
// zz, yz, xz, xy; and chains/{ends, force}, the contacts that press more than the mean, from centre to centre
// or wall.
void put_grains(const GrainBed& bed, Archive& frame);

// Likewise of rigid grains, with orientation; radius is the largest of an ellipsoid. Forces are those of the
// last step, of length h.
void put_grains(const multibody::System& bodies, const BodyContact& contacts, double h, Archive& frame);

}  // namespace hardpan::couple
