// Reports and comparisons: the text is there already; here come the curves and the replay.
import { readBundle } from './bundle';
import { Charts, type PanelHead } from './charts';
import { make, messageOf } from './dom';
import { indexAt, Replay, type StackHead } from './frames';
import { Player } from './player';
import type { Scene } from './scene';

interface Head {
  panels?: PanelHead[];
  scene?: Scene;
  stacks?: StackHead[];
}

function failed(place: Element | null, error: unknown) {
  place?.append(make('p', { className: 'problem' }, messageOf(error)));
}

// A canvas prints blank: a picture of it stands in.
function printable(player: Player, figure: Element) {
  const image = make('img', { className: 'print-only', alt: 'the replay at the time shown' });
  figure.append(image);
  const snap = () => {
    if (player.frame) image.src = player.picture().toDataURL();
  };
  addEventListener('beforeprint', snap);
  matchMedia('print').addEventListener('change', (e) => e.matches && snap());
}

export function startReport() {
  const data = (window as unknown as { hardpanData: ArrayBuffer }).hardpanData;
  const curves = document.querySelector('#curves');
  const figure = document.querySelector('#replay');
  let bundle;
  try {
    bundle = readBundle<Head>(data);
  } catch (error) {
    return failed(curves, error);
  }
  const { head, arrays } = bundle;
  let charts: Charts | null = null;
  try {
    const place = curves?.querySelector<HTMLElement>('.charts');
    if (place && head.panels?.length) {
      charts = new Charts(place);
      charts.set(head.panels, arrays);
    }
  } catch (error) {
    failed(curves, error);
  }
  try {
    const place = figure?.querySelector<HTMLElement>('.stage');
    const replay = new Replay(head.stacks ?? [], arrays);
    if (!place || !head.scene || replay.count === 0) return;
    const player = new Player(place, head.scene, replay);
    player.onError = (message) => failed(figure, new Error(message));
    player.onFrame = (frame) => charts?.setTime(frame.time);
    if (charts)
      charts.onPick = (time) => player.seek(indexAt(replay, time));
    printable(player, figure!);
    void player.goTo(0);
  } catch (error) {
    failed(figure, error);
  }
}
