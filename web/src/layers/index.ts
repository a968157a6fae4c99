// The layers of a scene, in the order in which they are listed to the user.
import type { Frame } from '../frames';
import type { Scene } from '../scene';
import { Arrows } from './arrows';
import { Bodies } from './bodies';
import { JointAxes } from './joints';
import type { Layer } from './layer';
import { Rods } from './rods';
import { Spheres } from './spheres';
import { HeightField, Surface } from './surfaces';

const contactColour = 0xd6336c;
const jointColour = 0x7048e8;

export function makeLayers(scene: Scene, first: Frame): Layer[] {
  const layers: Layer[] = [];
  if (scene.bodies.length) layers.push(new Bodies(scene.bodies));
  for (const spheres of scene.spheres ?? []) layers.push(new Spheres(spheres));
  for (const surface of scene.surfaces ?? []) layers.push(new Surface(surface));
  for (const field of scene.height_fields ?? []) layers.push(new HeightField(field));
  for (const rods of scene.rods ?? []) layers.push(new Rods(rods, contactColour));
  for (const a of scene.arrows ?? []) layers.push(new Arrows(a.name, a.position, a.vector, true, contactColour));
  if (scene.joints?.length && first.fields.has('joints/position')) {
    layers.push(new JointAxes(scene.joints));
    // A report leaves out what it need not draw when it would grow too large.
    if (first.fields.has('joints/force')) layers.push(new Arrows('joint forces', 'joints/end', 'joints/force', false, jointColour));
  }
  return layers;
}
