import { describe, expect, it } from 'vitest';
import type { Notice } from '../../../src/core/council/machine/transition-result.ts';
import { tellNotifiers } from '../../../src/core/notify/notifier.ts';
import type { Notifier, CouncilProgress } from '../../../src/core/notify/notifier.ts';
import { stateOf } from '../council/fixtures.ts';

const notices: Notice[] = [
  { type: 'phase_opened', phase: 'CHALLENGE', tour: 2 },
  { type: 'archived', path: 'conseils/x.md' },
];

async function told(notifiers: Notifier[], of: readonly Notice[] = notices): Promise<CouncilProgress[]> {
  const heard: CouncilProgress[] = [];
  const { signal } = new AbortController();
  await tellNotifiers(
    { notifiers },
    { state: stateOf(), notices: of },
    { signal, onProgress: (one) => heard.push(one) },
  );
  return heard;
}

describe('telling what happened', () => {
  it('tells whoever follows the council and every notifier, once', async () => {
    const news: string[][] = [];
    const notifier: Notifier = {
      async notify({ state, notices: all }) {
        news.push([state.name, ...all.map(({ type }) => type)]);
        return [];
      },
    };
    expect(await told([notifier, notifier])).toEqual(
      notices.map((notice) => ({ type: 'notice', council: 'test', notice })),
    );
    expect(news).toEqual([0, 1].map(() => ['test', 'phase_opened', 'archived']));
  });

  it('tells why a notifier could not, and asks none when nothing happened', async () => {
    const untrusted: Notifier = { notify: async () => [{ type: 'untrusted', runs: 'notify.sh' }] };
    expect((await told([untrusted])).at(-1)).toEqual({
      council: 'test',
      type: 'untrusted',
      runs: 'notify.sh',
    });
    expect(await told([untrusted], [])).toEqual([]);
  });
});
