import { readAddress, readRange } from './address';
import { messageOf } from './dom';
import { indexAt, Stream } from './frames';
import { Player } from './player';
import type { Scene } from './scene';
import { bytesOf, jsonOf, type Run } from './server';

// `hardpan shot`: one picture, handed back to the server; or the reason why there is none.
export async function shoot() {
  const hand = (body: Blob | string, type: string) => fetch('api/picture', { method: 'POST', headers: { 'Content-Type': type }, body });
  try {
    const state = readAddress();
    const [width, height] = (state.size ?? '1280x720').split('x').map(Number);
    const stage = document.getElementById('stage')!;
    stage.style.cssText = `position: fixed; inset: 0 auto auto 0; width: ${width}px; height: ${height}px; z-index: 9`;
    const run = await jsonOf<Run>('api/run');
    if (run.frames === 0) throw new Error('this run has no frames to show');
    const stream = new Stream(bytesOf);
    stream.setSegments(run.segments);
    const problems: string[] = [];
    const player = new Player(stage, await jsonOf<Scene>('api/scene'), stream, true);
    player.onError = (message) => problems.push(message);
    player.stage.renderer.setPixelRatio(1);
    await player.goTo(state.t ? indexAt(stream, Number(state.t)) : stream.count - 1);
    if (state.layers) player.layerChanges = state.layers;
    if (state.field) player.setField(state.field, readRange(state.range));
    if (state.camera) player.stage.view = state.camera;
    if (problems.length) throw new Error(problems[0]);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const picture = await new Promise<Blob | null>((resolve) => player.picture().toBlob(resolve));
    if (!picture) throw new Error('the browser could not make the picture');
    await hand(picture, 'image/png');
  } catch (error) {
    await hand(messageOf(error), 'text/plain');
  }
}
