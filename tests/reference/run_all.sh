#!/bin/sh
# Runs every reference script; prints all tables; status 1 if any check failed.
# Usage: run_all.sh [PYTHON]   (default python3; about 50 s, one core)
cd "$(dirname "$0")" || exit 2
py=${1:-python3}
bad=""
for s in pendulum rigid_pendulum double_pendulum spinning_top spherical_pendulum \
         spring_mass torsion_spring triple_pendulum_springs free_flight body_chain \
         four_bar_ladder squeezer bricard flyball_governor platform_struts driveline_converter \
         driveline_clutch shaft_trains motors joints_sliding joints_turning joints_rolling joint_laws \
         contact_impacts contact_arch contact_rolling contact_spun contact_rocking grain_oblique; do
    echo "== $s"
    PYTHONDONTWRITEBYTECODE=1 "$py" "$s.py" || bad="$bad $s"
    echo
done
if [ -n "$bad" ]; then echo "FAILED:$bad"; exit 1; fi
echo "all reference scripts passed"
