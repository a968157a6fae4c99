// scene.json (hardpan/record/scene.h): how to draw the arrays of the frames.

export type Triple = [number, number, number];

export type Shape =
  | { kind: 'sphere'; radius: number }
  | { kind: 'box'; size: Triple }
  | { kind: 'cylinder'; radius: number; length: number }
  | { kind: 'mesh'; points: Triple[]; triangles: Triple[] };

export interface Scene {
  bodies: { name: string; mass: number; fixed: boolean; shape: Shape | null }[];
  joints?: { name: string; kind: string }[];
  spheres?: { name: string; position: string; radius: number | string }[];
  surfaces?: { name: string; position: string; triangles: Triple[] | string }[];
  height_fields?: { name: string; height: string; origin: [number, number]; spacing: [number, number] }[];
  arrows?: { name: string; position: string; vector: string }[];
}
