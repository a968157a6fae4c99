// Frames: what is drawn at one moment, and where frames come from.
import { readBundle, type Numbers } from './bundle';

export interface Field {
  name: string; // "bodies/position"
  unit: string;
  shape: number[];
  data: Numbers;
}

export interface Frame {
  index: number;
  time: number; // s
  step: number;
  fields: Map<string, Field>;
}

export interface StackHead {
  times: number[];
  steps: number[];
  fields: { name: string; unit: string; shape: number[]; array: number }[];
}

export interface FrameSource {
  readonly count: number;
  timeOf(index: number): number; // s; approximate where the frame has not been read
  at(index: number): Promise<Frame>;
  cached(index: number): Frame | undefined;
}

// The frame that is shown at a time: the last one not after it. Times ascend.
export function indexAt(source: FrameSource, time: number): number {
  let low = 0;
  let high = source.count - 1;
  const tolerance = 1e-9 * Math.max(1, Math.abs(time));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (source.timeOf(middle) <= time + tolerance) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

export function framesOf(stack: StackHead, arrays: Numbers[], first = 0): Frame[] {
  return stack.times.map((time, k) => {
    const fields = new Map<string, Field>();
    for (const { name, unit, shape, array } of stack.fields) {
      const size = arrays[array].length / stack.times.length;
      fields.set(name, { name, unit, shape, data: arrays[array].subarray(k * size, (k + 1) * size) });
    }
    return { index: first + k, time, step: stack.steps[k], fields };
  });
}

// All frames are there: a report.
export class Replay implements FrameSource {
  private readonly frames: Frame[] = [];

  constructor(stacks: StackHead[], arrays: Numbers[]) {
    for (const stack of stacks) this.frames.push(...framesOf(stack, arrays, this.frames.length));
  }

  get count() {
    return this.frames.length;
  }
  timeOf(index: number) {
    return this.frames[index].time;
  }
  cached(index: number) {
    return this.frames[index];
  }
  async at(index: number) {
    return this.frames[index];
  }
}

export interface SegmentInfo {
  first: number;
  frames: number;
  first_time: number;
  last_time: number;
}

// Frames asked for one by one; the latest used stay in memory.
export class Stream implements FrameSource {
  private static readonly memory = 256e6; // bytes
  private segments: SegmentInfo[] = [];
  private readonly kept = new Map<number, Frame>(); // in the order of use
  private readonly pending = new Map<number, Promise<Frame>>();
  private bytes = 0;
  count = 0;

  constructor(private readonly fetchBytes: (path: string) => Promise<ArrayBuffer>) {}

  setSegments(segments: SegmentInfo[]) {
    this.segments = segments;
    const last = segments[segments.length - 1];
    this.count = last ? last.first + last.frames : 0;
  }

  timeOf(index: number) {
    const known = this.kept.get(index);
    if (known) return known.time;
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.segments[middle].first <= index) low = middle;
      else high = middle - 1;
    }
    const s = this.segments[low];
    return s.frames < 2
      ? s.first_time
      : s.first_time + ((s.last_time - s.first_time) * (index - s.first)) / (s.frames - 1);
  }

  cached(index: number) {
    return this.kept.get(index);
  }

  get waiting() {
    return this.pending.size;
  }

  at(index: number): Promise<Frame> {
    const known = this.kept.get(index);
    if (known) {
      this.kept.delete(index); // used last, forgotten last
      this.kept.set(index, known);
      return Promise.resolve(known);
    }
    let promise = this.pending.get(index);
    if (!promise) {
      promise = this.load(index).finally(() => this.pending.delete(index));
      this.pending.set(index, promise);
    }
    return promise;
  }

  private async load(index: number): Promise<Frame> {
    const data = await this.fetchBytes(`api/frame/${index}`);
    const { head, arrays } = readBundle<{ stack: StackHead }>(data);
    const frame = framesOf(head.stack, arrays, index)[0];
    this.kept.set(index, frame);
    this.bytes += bytesOf(frame);
    for (const [old, unused] of this.kept) {
      if (this.bytes <= Stream.memory || old === index) break;
      this.kept.delete(old);
      this.bytes -= bytesOf(unused);
    }
    return frame;
  }
}

function bytesOf(frame: Frame) {
  let sum = 0;
  for (const field of frame.fields.values()) sum += field.data.byteLength;
  return sum;
}
