// scene.json (hardpan/record/scene.h): how to draw the arrays of the frames.

export type Triple = [number, number, number];

export type Shape =
  | { kind: 'sphere'; radius: number }
  | { kind: 'box'; size: Triple }
  | { kind: 'cylinder'; radius: number; length: number }
  | { kind: 'mesh'; points: Triple[]; triangles: Triple[] };

// A shape with its place on the body. A ground is so large that the camera looks for the other things.
export type Part = Shape & { at?: Triple; orientation?: [number, number, number, number]; ground?: boolean };

export interface Body {
  name: string;
  mass: number;
  fixed: boolean;
  glass?: boolean; // can be seen through
  shape?: Part | null; // short for one at the origin of the body
  shapes?: Part[];
}

export interface Spheres {
  name: string;
  position: string;
  radius: number | string;
  orientation?: string; // makes them ellipsoids
  axes?: Triple; // their semi-axes over the radius
}

export interface Scene {
  field?: string; // colours it at first
  bodies: Body[];
  joints?: { name: string; kind: string }[];
  spheres?: Spheres[];
  surfaces?: { name: string; position: string; triangles: Triple[] | string }[];
  height_fields?: { name: string; height: string; origin: [number, number]; spacing: [number, number] }[];
  rods?: { name: string; ends: string; width: string }[];
  arrows?: { name: string; position: string; vector: string }[];
}
