// A layer draws one kind of thing. Its arrays are those of its group: "sand/position", "sand/pressure", ...
import type { Box3, Object3D } from 'three';
import type { Range } from '../colour';
import type { Field, Frame } from '../frames';

export interface Layer {
  readonly name: string; // as the user sees it
  readonly group: string; // of the arrays that can colour it; '' for none
  readonly object: Object3D;
  readonly shownAtFirst: boolean;
  size: number; // things in the last frame
  update(frame: Frame): void;
  // One value per thing, or null for its own colours.
  colour(values: Float32Array | null, range: Range): void;
  // Grows the box to hold what is drawn.
  extend(box: Box3): void;
  // Lets things of fixed size on the screen fit a scene of this size, m.
  fit?(extent: number): void;
  // Before a picture is drawn: how large a metre is at the place that is looked at.
  lookFrom?(pixelsPerMetre: number): void;
}

// Not NaN, and not so far away (a run that diverged) that drawing fails.
export function isPlace(p: { x: number; y: number; z: number }): boolean {
  return Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z)) < 1e12;
}

export function fieldOf(frame: Frame, name: string): Field {
  const field = frame.fields.get(name);
  if (!field) throw new Error(`the frame has no array '${name}', which scene.json names`);
  return field;
}
