import { describe, expect, it } from 'vitest';
import { loadReviewWords } from '../../../src/review/words.ts';
import { renderAnnotations, renderStopCommands } from '../../../src/review/formats.ts';
import { sampleFinding, sampleReview } from '../../helpers/review-sample.ts';
import type { Finding } from '../../../src/review/report.ts';

const TOKEN = 'b7c1f3c2-token';
const HOSTILE = '100%, a:b\r\n::error::obeyed\n##[error]obeyed';

/** What the runner of GitHub does with what a step prints: the commands that it obeys, decoded. */
function obey(printed: string): { kind: string; properties: Record<string, string>; message: string }[] {
  let stopped: string | undefined;
  return printed.split(/\r\n|\r|\n/).flatMap((line) => {
    const [, kind = '', list = '', message = ''] = /^::([\w-]+)(?: (.*?))?::(.*)$/.exec(line.trim()) ?? [];
    if (stopped !== undefined) {
      if (line === `::${stopped}::`) stopped = undefined;
      return [];
    }
    if (kind === 'stop-commands') stopped = message;
    else if (kind !== '')
      return [
        {
          kind,
          properties: Object.fromEntries(
            list.split(',').map((one) => [one.split('=')[0]!, decode(one.slice(one.indexOf('=') + 1))]),
          ),
          message: decode(message),
        },
      ];
    return [];
  });
}
const decode = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');

const run = (findings: Finding[], text = 'the report') =>
  obey(
    `${renderStopCommands(TOKEN)}\n${renderAnnotations(sampleReview(findings), loadReviewWords('en'), { text, token: TOKEN })}`,
  );

describe('a review as annotations', () => {
  it('escapes what would end a command or a property, and obeys nothing of what is printed beside', () => {
    const finding = sampleFinding({
      id: 'F1',
      title: HOSTILE,
      place: { file: 'a,b:c%.ts', side: 'new', start: 4, end: 5 },
    });
    const obeyed = run([finding], `${HOSTILE}\n::stop-commands::mine\n::mine::\n::error::no`);
    expect(obeyed).toHaveLength(1);
    expect(obeyed[0]).toMatchObject({
      kind: 'error',
      properties: { file: 'a,b:c%.ts', line: '4', endLine: '5', title: `F1 major: ${HOSTILE}` },
    });
    expect(obeyed[0]!.message).toContain(HOSTILE);
  });

  it('makes errors of what blocks and warnings of the others, ten of each', () => {
    const of = (standing: Finding['standing']) =>
      Array.from({ length: 14 }, () => sampleFinding({ standing }));
    const kinds = run([...of('contested'), ...of('blocking'), ...of('open'), ...of('refuted')]).map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual([...Array<string>(10).fill('error'), ...Array<string>(10).fill('warning')]);
  });

  it('gives removed lines no line', () => {
    const place = { file: 'src/queue.ts', side: 'old' as const, start: 3, end: 3 };
    expect(run([sampleFinding({ place })])[0]!.properties).not.toHaveProperty('line');
  });
});
