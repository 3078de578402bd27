import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../../src/server/remote/perform-call.ts';
import { EXIT_CODES } from '../../../../src/core/base/errors.ts';
import type { ErrorCode } from '../../../../src/core/base/errors.ts';
import { loadPageWords } from '../../../../src/server/page/words.ts';
import { MAX_BODY_BYTES } from '../../../../src/server/http/gate.ts';
import { documentOf, elementsIn, textIn } from '../../../helpers/html.ts';
import { INVITED, pageServer } from '../../../helpers/page-server.ts';
import { visitorAt } from '../../../helpers/visitor.ts';

const FRENCH = { 'accept-language': 'fr' };
const ENGLISH = 'The thing was refused: see council help';

const refused = (code: ErrorCode): CallOutcome => ({
  document: { error: { code, message: ENGLISH, hint: 'Try it with: council doctor' } },
  failed: true,
  code,
});

/** What is shown of a page, without what it says itself is English. */
const shown = (body: string): string =>
  textIn(documentOf(body), ({ name, attributes }) => name === 'title' || attributes.lang === 'en').replace(
    /[ \n]+/g,
    ' ',
  );
const english = (body: string): string =>
  elementsIn(documentOf(body))
    .filter(({ attributes }) => attributes.lang === 'en')
    .map(({ text }) => text.replace(/[ \n]+/g, ' ').trim())
    .join(' ');

/** Words of English sentences that no French one has. */
const ENGLISH_WORDS = /\b(?:the|is|of|with|not|and|at most|was|this|to|invalid|form|fields|bytes|needed)\b/i;

describe('what a page refuses', () => {
  it('is said in French on a French page, whatever its code; the exact words are for who runs councils', async () => {
    const { problem, site } = loadPageWords('fr');
    let code: ErrorCode = 'failed';
    const { url } = await pageServer({ answer: () => refused(code) });
    const [admin, ada] = [visitorAt(url), visitorAt(url)];
    await admin.join('admin');
    await ada.post('/join', { code: INVITED });
    for (code of Object.keys(EXIT_CODES) as ErrorCode[]) {
      for (const [who, path] of [
        [admin, '/'],
        [ada, '/councils/queue/seat'],
      ] as const) {
        const { body } = await who.get(path, FRENCH);
        // Who sits at a table is told where to go.
        const isLost = code === 'forbidden' && who === ada;
        expect(shown(body)).toContain(isLost ? site.seatOnly : problem[code]);
        expect(shown(body)).not.toMatch(ENGLISH_WORDS);
        expect(english(body)).toBe(who === admin ? `${ENGLISH} Try it with: council doctor` : '');
      }
      const inEnglish = await admin.get('/');
      expect(shown(inEnglish.body) + english(inEnglish.body)).toContain(ENGLISH);
      expect((await ada.get('/councils/queue/seat')).body).not.toContain(ENGLISH);
    }
  });

  it('is said in French where a form or an address is not one of ours', async () => {
    const { url } = await pageServer();
    const ada = visitorAt(url);
    await ada.post('/join', { code: INVITED });
    await ada.get('/archives', FRENCH);
    const seat = '/councils/queue/seat';
    const answers = [
      ada.get('/nowhere', FRENCH),
      ada.get('/councils/queue/seat?as=bob', FRENCH),
      ada.get('/start', FRENCH),
      ada.post('/councils/queue/extend', { duration: '1h', why: 'x' }, FRENCH),
      ada.post('/councils/queue/invite', { agent: 'ada' }, FRENCH),
      ada.post(seat, { text: 'x' }, { ...FRENCH, origin: 'https://evil.example' }),
      ada.post(seat, { text: 'x' }, { ...FRENCH, host: 'evil.example' }),
      ada.post(seat, { text: 'x' }, { ...FRENCH, 'sec-fetch-site': 'cross-site' }),
      ada.get(seat, { ...FRENCH, 'service-worker': 'script' }),
      ada.post(seat, { text: 'x' }, { ...FRENCH, 'content-type': 'text/plain' }),
      ada.post(seat, { text: Array(1001).fill('x') as string[] }, FRENCH),
      ada.post(seat, { text: 'x', 'form-token': 'old' }, FRENCH),
      visitorAt(url).post(seat, { text: 'x' }, FRENCH),
      visitorAt(url).post('/join', { code: 'wrong' }, FRENCH),
    ];
    for (const { status, body } of await Promise.all(answers)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(elementsIn(documentOf(body)).find(({ name }) => name === 'html')?.attributes.lang).toBe('fr');
      expect(shown(body)).not.toMatch(ENGLISH_WORDS);
    }
    const tooLong = await ada.post(seat, { text: 'x'.repeat(MAX_BODY_BYTES) }, FRENCH);
    expect(shown(tooLong.body)).toContain(loadPageWords('fr').problem.too_large);
  });

  it('is said in French to whoever asks for too much', async () => {
    const { url } = await pageServer({ messages: 1 });
    const ada = visitorAt(url);
    await ada.post('/join', { code: INVITED });
    await ada.get('/archives', FRENCH);
    const { status, body } = await ada.get('/archives', FRENCH);
    const said = loadPageWords('fr').problem.too_many_requests;
    expect([status, shown(body)]).toEqual([429, expect.stringContaining(said)]);
    expect(shown(body)).not.toMatch(ENGLISH_WORDS);
  });
});
