// docs/positions.svg: who held which position in which round of the demo's debate, and what moved them, drawn from its archive.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArchive } from '../../src/index.ts';
import { sandbox } from './sandbox.ts';
import { scenes } from './scenes.ts';

const WIDTH = 820;
const LEFT = 250;
const COLUMN = 200;
const TOP = 70;
const ROW = 34;
const GAP = 26;

const STYLE = `text{font:15px system-ui,sans-serif;fill:#1f2328}.small{font-size:13px;fill:#59636e}.decided{font-weight:600}
.band{fill:#f3f4f6}.band.decided{fill:#dafbe1}path{fill:none;stroke:#8c959f;stroke-width:2.5}path.moved{stroke:#0969da}circle{fill:#8c959f}circle.moved{fill:#0969da}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.band{fill:#1c2128}.band.decided{fill:#12341d}}`;

/** Plays the debate and draws it. */
export async function positions(): Promise<string> {
  const scene = sandbox('archived');
  try {
    await scenes.archived!(scene);
    const [path = ''] = globSync('conseils/*.md', { cwd: scene.root });
    return drawn(readArchive(readFileSync(join(scene.root, path), 'utf8'), path));
  } finally {
    scene.remove();
  }
}

function drawn({ meta, contributions }: ReturnType<typeof readArchive>): string {
  const rounds = [...new Set(contributions.filter(({ by }) => by !== meta.coordinator).map(({ phase }) => phase))];
  const held = (by: string) =>
    rounds.map((round) => contributions.find((one) => one.by === by && one.phase === round)?.position ?? '');
  const rows = meta.participants.map(({ id, title, emoji }) => ({ id, called: `${emoji} ${title}`, held: held(id) }));
  const decided = meta.decision?.position ?? '';
  const bands = [...new Set(rows.flatMap((row) => row.held))].sort(
    (a, b) => Number(b === decided) - Number(a === decided) || a.localeCompare(b),
  );
  // A band is as high as the most people it holds in one round.
  const heights = bands.map((band) => Math.max(...rounds.map((_, at) => rows.filter((row) => row.held[at] === band).length)) * ROW);
  const tops = heights.map((_, at) => TOP + heights.slice(0, at).reduce((sum, height) => sum + height + GAP, 0));
  const x = (round: number) => LEFT + 40 + round * COLUMN;
  const y = (who: number, round: number) => {
    const band = rows[who]!.held[round]!;
    const place = rows.slice(0, who).filter((row) => row.held[round] === band).length;
    return tops[bands.indexOf(band)]! + place * ROW + ROW / 2;
  };
  const height = tops.at(-1)! + heights.at(-1)! + 16;
  const isMoved = (row: { held: string[] }) => new Set(row.held).size > 1;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(`${meta.topic} Who held what, round by round.`)}</title>
<style>${STYLE}</style>
<text x="16" y="26" class="decided">${escaped(meta.topic)}</text>
${rounds.map((round, at) => `<text x="${x(at)}" y="52" text-anchor="middle" class="small">${round}</text>`).join('\n')}
${bands.map((band, at) => bandOf(band, tops[at]!, heights[at]!, band === decided)).join('\n')}
${rows.map((row, who) => lineOf(row.called, rounds.map((_, at) => [x(at), y(who, at)]), isMoved(row))).join('\n')}
</svg>
`;
}

function bandOf(position: string, top: number, height: number, isDecided: boolean): string {
  const kind = isDecided ? ' decided' : '';
  return `<rect x="8" y="${top}" width="${WIDTH - 16}" height="${height}" rx="6" class="band${kind}"/>
<text x="20" y="${top + ROW / 2 + 5}" class="${kind.trim()}">${escaped(position)}</text>`;
}

/** One participant's way through the rounds, with the name at its end. */
function lineOf(called: string, points: [x: number, y: number][], isMoved: boolean): string {
  const kind = isMoved ? ' class="moved"' : '';
  const way = points.map(([x, y], at) => {
    const [fromX, fromY] = points[at - 1] ?? [x, y];
    const middle = (fromX + x) / 2;
    return at === 0 ? `M${x} ${y}` : `C${middle} ${fromY} ${middle} ${y} ${x} ${y}`;
  });
  const [endX, endY] = points.at(-1)!;
  return `<path${kind} d="${way.join('')}"/>
${points.map(([x, y]) => `<circle${kind} cx="${x}" cy="${y}" r="5"/>`).join('')}
<text x="${endX + 16}" y="${endY + 5}">${escaped(called)}</text>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
