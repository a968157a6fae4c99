// What the server of `hardpan view` answers (hardpan/app/view_server.h).
import type { SegmentInfo } from './frames';

export interface Run {
  name: string;
  title: string;
  status: 'running' | 'stopped' | 'done' | 'interrupted' | 'diverged';
  reason?: string;
  frames: number;
  segments: SegmentInfo[];
  series_bytes: number;
  generation: string;
  problem?: string | null;
}

async function ask(path: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path);
  } catch {
    throw new Error("no answer: 'hardpan view' has ended, or the connection is gone");
  }
  if (answer.ok) return answer;
  const { error } = await answer.json().catch(() => ({ error: '' }));
  throw new Error(error || `the server answers ${answer.status} to ${path}`);
}

export const bytesOf = async (path: string) => (await ask(path)).arrayBuffer();
export const jsonOf = async <T>(path: string): Promise<T> => (await ask(path)).json();
