/** One line of a chart: a value for each place on the x axis. */
export interface Line {
  name: string;
  values: number[];
}

export interface Chart {
  /** Also what a screen reader says first. */
  title: string;
  x: { label: string; ticks: (number | string)[] };
  y: { label: string; min: number; max: number; step: number };
  lines: Line[];
}

const [WIDTH, HEIGHT] = [760, 400];
const PLOT = { left: 70, right: 510, top: 50, bottom: 340 };
/** Okabe and Ito: colours that people with any colour vision tell apart. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

/** A line chart as an SVG file that needs nothing else: no script, no font, no style sheet. */
export function svgOf({ title, x, y, lines }: Chart): string {
  const across = (place: number) =>
    PLOT.left + ((PLOT.right - PLOT.left) * place) / Math.max(1, x.ticks.length - 1);
  const up = (value: number) => PLOT.bottom - ((PLOT.bottom - PLOT.top) * (value - y.min)) / (y.max - y.min);
  const steps = Array.from(
    { length: Math.round((y.max - y.min) / y.step) + 1 },
    (_, i) => y.min + i * y.step,
  );
  const grid = steps.flatMap((value) => [
    `<line x1="${PLOT.left}" y1="${place(up(value))}" x2="${PLOT.right}" y2="${place(up(value))}" stroke="#ddd"/>`,
    text(PLOT.left - 8, up(value) + 4, String(Math.round(value * 100) / 100), 'end'),
  ]);
  const axis = x.ticks.map((tick, i) => text(across(i), PLOT.bottom + 20, String(tick), 'middle'));
  const drawn = lines.flatMap(({ name, values }, i) => {
    const colour = COLOURS[i % COLOURS.length]!;
    const points = values.map((value, at) => `${place(across(at))},${place(up(value))}`);
    const legend = PLOT.top + 10 + i * 22;
    const stroke = `stroke="${colour}" stroke-width="2"`;
    return [
      `<polyline points="${points.join(' ')}" fill="none" ${stroke}/>`,
      ...points.map(
        (point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${colour}"/>`,
      ),
      `<line x1="${PLOT.right + 16}" y1="${legend - 4}" x2="${PLOT.right + 40}" y2="${legend - 4}" ${stroke}/>`,
      text(PLOT.right + 46, legend, name, 'start'),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#222">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(PLOT.left, 26, title, 'start', 'font-size="15" font-weight="bold"'),
    ...grid,
    ...axis,
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 44, x.label, 'middle'),
    text(0, 0, y.label, 'middle', `transform="translate(20 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)"`),
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', more = ''): string {
  return `<text x="${place(x)}" y="${place(y)}" text-anchor="${anchor}"${more && ' '}${more}>${escaped(words)}</text>`;
}

const place = (value: number): string => String(Math.round(value * 10) / 10);
const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
