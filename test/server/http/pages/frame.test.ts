import { describe, expect, it } from 'vitest';
import { deriveInvitationRecord } from '../../../../src/server/access/sign-in-code.ts';
import { STRANGERS } from '../../../../src/server/http/limits.ts';
import { MAX_BODY_BYTES } from '../../../../src/server/http/gate.ts';
import { documentOf, elementsIn } from '../../../helpers/html.ts';
import { INVITED, pageServer, UNKNOWN } from '../../../helpers/page-server.ts';
import { visitorAt } from '../../../helpers/visitor.ts';

describe('the frame of the pages', () => {
  it('asks in the process of the server only for what is light', async () => {
    for (const light of [true, false, undefined]) {
      const { url, asked, here } = await pageServer({ isOpen: true, ...(light !== undefined && { light }) });
      expect((await visitorAt(url).get('/')).status).toBe(200);
      expect((light ? here : asked).map(({ name }) => name)).toEqual([
        'status',
        'approvals',
        'task',
        'inbox',
      ]);
      expect(light ? asked : here).toEqual([]);
    }
  });

  it('says with every answer that nothing of others is loaded, framed, run or kept', async () => {
    const { url } = await pageServer({ isOpen: true });
    const visitor = visitorAt(url);
    for (const path of ['/', '/join', '/nowhere-of-ours', '/leave'].slice(0, 2)) {
      const { headers } = await visitor.get(path);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-dns-prefetch-control': 'off',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
      });
    }
  });

  it('comes packed to who can unpack it, and is the same page', async () => {
    const { url } = await pageServer({ isOpen: true });
    const packed = await fetch(`${url}/`, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const plain = await fetch(`${url}/`, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const words = (page: string): string => page.replace(/name="form-token" value="[^"]*"/g, '');
    expect(words(await packed.text())).toBe(words(await plain.text()));
  });

  it('gives whoever reaches the loopback address a session before the first token, and asks from then on', async () => {
    const { url, state, port } = await pageServer({ isOpen: true });
    const visitor = visitorAt(url);
    const { status, headers } = await visitor.get('/');
    expect(status).toBe(200);
    expect(headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^council_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    state.isOpen = false;
    expect(await visitor.get('/')).toMatchObject({ status: 303, headers: { location: '/join' } });
    expect((await visitor.get('/archives?q=a%20b')).headers.location).toBe(
      '/join?to=%2Farchives%3Fq%3Da%2520b',
    );
  });

  it('lets in with a token or the code of an invitation, typed as people type', async () => {
    const { url, state } = await pageServer();
    const admin = visitorAt(url);
    const shown = await admin.get('/join');
    expect(shown.body).toMatch(/<label for="code">Code<\/label>/);
    expect(shown.body).toMatch(/<button class="main">Join<\/button>/);
    expect(await admin.join('admin')).toMatchObject({ status: 200 });
    const ada = visitorAt(url);
    expect(await ada.post('/join', { code: ' o123 4567-89ab-cdef ' })).toMatchObject({
      status: 303,
      headers: { location: '/councils/queue/seat' },
    });
    // Whoever is revoked is out at the next request.
    state.ada = { unknown: 'revoked_token' };
    expect((await ada.get('/')).status).toBe(303);
  });

  it('asks before somebody else who is signed in loses their session, with or without script', async () => {
    const { url, state } = await pageServer();
    const browser = visitorAt(url);
    await browser.join('admin');
    const admins = browser.cookie();
    // The link of an invitation sends its code by the script; the form alone does the same.
    const asked = await browser.post('/join?to=%2Farchives', { code: INVITED });
    expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
    expect(asked.body).toContain(
      'Already signed in here: admin. If you join now, you take their place in this browser.',
    );
    expect(asked.body).toContain(`<input type="hidden" name="code" value="${INVITED}" />`);
    expect(asked.body).toMatch(/<button name="sure" value="yes">/);
    expect(asked.body).not.toContain('data-join');
    expect((await browser.get('/')).status).toBe(200);
    const sure = await browser.post('/join?to=%2Farchives', { code: INVITED, sure: 'yes' });
    expect([sure.status, sure.headers.location]).toEqual([303, '/archives']);
    expect((await browser.get('/', { cookie: admins })).status).toBe(303);
    // The same person by the same link, and whoever comes after a session that is over, is not asked.
    expect((await browser.post('/join', { code: INVITED })).status).toBe(303);
    expect((await browser.post('/join', { code: 'admin' })).body).toContain('ada, at the council queue');
    state.ada = { unknown: 'revoked_token' };
    expect((await browser.post('/join', { code: 'admin' })).status).toBe(303);
    // A wrong code tells nobody who is signed in.
    expect((await browser.post('/join', { code: '0000-0000-0000-0000' })).body).not.toContain('admin.');
  });

  it('keeps everybody else signed in, however often one code is used', async () => {
    const { url } = await pageServer();
    const admin = visitorAt(url);
    await admin.join('admin');
    const first = visitorAt(url);
    await first.post('/join', { code: INVITED });
    for (let at = 0; at < 1000; at++) await visitorAt(url).post('/join', { code: INVITED });
    expect((await admin.get('/')).status).toBe(200);
    expect((await first.get('/councils/queue/seat')).status).toBe(303);
  });

  it('says that a code opens nothing, and keeps no session', async () => {
    const visitor = visitorAt((await pageServer()).url);
    for (const code of ['', 'nonsense', '0000-0000-0000-0000', `council_at_01234567_${'x'.repeat(43)}`]) {
      const { status, body, headers } = await visitor.post('/join', { code });
      expect([status, headers['set-cookie']]).toEqual([403, undefined]);
      expect(body).toContain('This code does not work');
    }
  });

  it('looks at no more wrong codes than it says, and makes no debt of them for others', async () => {
    const { url, looked } = await pageServer();
    const wrong = (): Promise<number> =>
      visitorAt(url)
        .post('/join', { code: '0000-0000-0000-0000' })
        .then(({ status }) => status);
    const begun = performance.now();
    const statuses = await Promise.all(Array.from({ length: 300 }, wrong));
    const came = STRANGERS.burst + (STRANGERS.perSecond * (performance.now() - begun)) / 1000;
    expect(looked()).toBe(statuses.filter((status) => status === 403).length);
    expect(looked()).toBeLessThanOrEqual(Math.ceil(came));
    expect(statuses).toContain(429);
    const { headers } = await visitorAt(url).get('/api/v1/list');
    expect(Number(headers['retry-after'] ?? 0)).toBeLessThanOrEqual(1);
  });

  it('reads of a stranger no more than a code, and of nobody a form of a million fields', async () => {
    const { url } = await pageServer();
    const stranger = visitorAt(url);
    expect((await stranger.post('/join', { code: 'x'.repeat(5000) })).status).toBe(413);
    const admin = visitorAt(url);
    await admin.join('admin');
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`f${at}`, '']));
    expect((await admin.post('/leave', many)).status).toBe(413);
  });

  it('leads back to where somebody wanted to go, and to nobody else', async () => {
    const { url } = await pageServer();
    const wanted = await visitorAt(url).get('/?x=1');
    expect(wanted.headers.location).toBe('/join?to=%2F%3Fx%3D1');
    const goes = async (to: string) =>
      (await visitorAt(url).post(`/join?to=${encodeURIComponent(to)}`, { code: 'admin' })).headers.location;
    expect(await goes('/archives?q=a b')).toBe('/archives?q=a%20b');
    for (const to of [
      '//evil.example/',
      '/\\evil.example',
      'https://evil.example/',
      'evil',
      '/\t/evil.example',
      '/.//evil.example',
      '/x/..//evil.example',
      '/%2e//evil.example/a',
    ])
      expect(await goes(to)).toBe('/');
  });

  it('takes nothing that changes something from another page, nor without the token of the form', async () => {
    const { url, port } = await pageServer({ isOpen: true });
    const visitor = visitorAt(url);
    await visitor.get('/');
    const elsewhere: Record<string, string | undefined>[] = [
      { origin: 'https://evil.example' },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
      { origin: `https://127.0.0.1:${port}` },
      { origin: `http://localhost:${port}` },
      { origin: 'null' },
      { origin: undefined },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host: 'evil.example' },
      { host: `127.0.0.1:${Number(port) + 1}` },
      { host: '127.0.0.1' },
      { 'content-type': 'text/plain' },
    ];
    for (const headers of elsewhere)
      expect([headers, (await visitor.post('/leave', {}, headers)).status]).toEqual([
        headers,
        'content-type' in headers ? 415 : 403,
      ]);
    for (const token of ['', 'x'.repeat(43)])
      expect((await visitor.post('/leave', { 'form-token': token })).status).toBe(403);
    // Whoever signs in elsewhere has another one.
    const other = visitorAt(url);
    const { body } = await other.get('/');
    const theirs = /form-token" value="([^"]+)/.exec(body)![1]!;
    expect((await visitor.post('/leave', { 'form-token': theirs })).status).toBe(403);
    expect((await visitor.post('/leave', {}, { 'sec-fetch-site': 'none' })).status).toBe(303);
  });

  it('refuses names that are not its own, and service workers', async () => {
    const { url, port } = await pageServer({ isOpen: true });
    const visitor = visitorAt(url);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.2:${port}`,
      `localhost.:${port}`,
    ])
      expect([host, (await visitor.get('/join', { host })).status]).toEqual([host, 403]);
    for (const host of [`localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
      expect([host, (await visitor.get('/join', { host })).status]).toEqual([host, 200]);
    expect((await visitor.get('/page.js', { 'service-worker': 'script' })).status).toBe(403);
    expect((await visitor.get('/page.js')).status).toBe(200);
  });

  it('knows its public name, over TLS alone', async () => {
    const { url } = await pageServer({ publicUrl: 'https://council.example' });
    const host = 'council.example';
    const visitor = visitorAt(url);
    expect((await visitor.get('/join', { host })).status).toBe(200);
    const joined = await visitor.post(
      '/join',
      { code: 'admin' },
      { host, origin: 'https://council.example' },
    );
    expect(joined.status).toBe(303);
    expect(joined.headers['set-cookie']?.[0]).toMatch(/; Secure/);
    expect(
      (await visitor.post('/join', { code: 'admin' }, { host, origin: 'http://council.example' })).status,
    ).toBe(403);
  });

  it('asks a browser once more where a link on another page led here', async () => {
    const { url } = await pageServer();
    const visitor = visitorAt(url);
    await visitor.join('admin');
    const led = await visitor.get('/?x=1', { cookie: undefined, 'sec-fetch-site': 'cross-site' });
    expect(led.status).toBe(200);
    expect(led.body).toContain('<meta http-equiv="refresh" content="0" />');
    expect(led.body).toContain('href="/?x=1"');
  });

  it('speaks the language that the browser asks for', async () => {
    const { url } = await pageServer();
    const french = await visitorAt(url).get('/join', { 'accept-language': 'de, fr-CH;q=0.9, en;q=0.8' });
    expect(french.body).toContain('<html lang="fr" data-theme="system">');
    expect((await visitorAt(url).get('/join', { 'accept-language': 'de' })).body).toContain(
      '<html lang="en" data-theme="system">',
    );
    expect((await visitorAt(url).get('/join', { 'accept-language': 'fr;q=0, en' })).body).toContain(
      'lang="en"',
    );
  });

  it('is signed out by its button, whatever cookie comes later', async () => {
    const { url } = await pageServer();
    const visitor = visitorAt(url);
    await visitor.join('admin');
    const old = visitor.cookie();
    expect((await visitor.post('/leave')).headers.location).toBe('/join');
    expect((await visitor.get('/', { cookie: old })).status).toBe(303);
    expect((await visitor.post('/leave', {}, { cookie: old })).status).toBe(401);
  });

  it('says where nothing is as a page to a browser, and as a document to a program', async () => {
    const { url, lines } = await pageServer();
    const paths = [
      '/nowhere',
      '/councils/',
      '/apiary',
      '/%00<b>',
      '/councils/queue/nowhere',
      '/wp-login.php',
    ];
    const visitor = visitorAt(url);
    for (const isSignedIn of [false, true]) {
      if (isSignedIn) await visitor.join('admin');
      for (const path of paths) {
        const { status, body, headers } = await visitor.get(path);
        expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
        expect(headers['content-security-policy']).toContain("default-src 'none'");
        expect(body).toContain('No page has this address.');
        expect(body.includes('Sign out')).toBe(isSignedIn);
      }
    }
    lines.length = 0;
    for (const path of paths) {
      const { status, headers } = await visitor.get(path, { accept: '*/*' });
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/problem+json']);
    }
    expect(new Set(lines.map(({ route, reason }) => `${route} ${reason}`))).toEqual(
      new Set(['other not_found']),
    );
  });

  it('is logged by the patterns of its addresses, which have nobody’s words', async () => {
    const { url, lines } = await pageServer({ isOpen: true });
    const visitor = visitorAt(url);
    await visitor.get('/style.css');
    for (const path of ['/', '/archives?q=CANARY', '/archives/CANARY', '/councils/canary', '/start'])
      await visitor.get(path);
    await visitor.post('/councils/canary/tick');
    expect(lines.map(({ route }) => route)).toEqual([
      '/style.css',
      '/',
      '/archives',
      '/archives/{id}',
      '/councils/{name}',
      '/start',
      '/councils/{name}/tick',
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/canary/i);
  });

  it('opens nothing of the API by its cookie', async () => {
    const { url } = await pageServer();
    const visitor = visitorAt(url);
    await visitor.join('admin');
    expect((await visitor.post('/api/v1/status')).status).toBe(401);
    expect((await visitor.get('/api/v1/events')).status).toBe(401);
  });
});

describe('a code', () => {
  it('follows from nothing that is kept of it', () => {
    const { id, sha256 } = deriveInvitationRecord(INVITED);
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(sha256.startsWith(id)).toBe(false);
  });

  it('gives back a long answer of whoever is signed out or over their limits, of all together a bounded amount', async () => {
    const { url, state } = await pageServer({ messages: 1 });
    const ada = visitorAt(url);
    await ada.post('/join', { code: INVITED });
    await ada.get('/archives');
    const seat = '/councils/queue/seat';
    const text = 'Words of é and 漢. '.repeat(50_000);
    const given = (body: string) =>
      elementsIn(documentOf(body)).find(({ attributes }) => attributes.id === 'text')?.text;
    const late = await ada.post(seat, { text });
    expect([late.status, given(late.body) === text]).toEqual([429, true]);
    expect(late.body).toContain('nothing of this was recorded');
    // The way out stays open: who is refused is still signed in.
    expect((await ada.get('/archives')).body).toMatch(/name="form-token" value="[\w-]{43}"/);

    state.ada = UNKNOWN;
    const out = await ada.post(seat, { text });
    expect([out.status, given(out.body) === text]).toEqual([401, true]);
    const nobody = visitorAt(url);
    const tooLong = await nobody.post(seat, { text: 'x'.repeat(MAX_BODY_BYTES) });
    expect([tooLong.status, given(tooLong.body)]).toEqual([401, undefined]);
    expect(tooLong.body).toContain('It is too long to be shown here.');
    // However many come, no more is read than that; what is short is given back as before.
    const large = 'x'.repeat(MAX_BODY_BYTES - 1000);
    // Not taken apart: that takes longer than what may be read needs to grow again.
    const isGiven = async (body: string): Promise<boolean> => {
      try {
        return (await nobody.post(seat, { text: body })).body.includes('<textarea id="text"');
      } catch (error) {
        // Whoever still writes when they are refused may find the connection closed before they read why.
        if (!['ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '')) throw error;
        return false;
      }
    };
    // What may be read grows again meanwhile, on a slow machine by more: so often that two in a row come too much.
    const rounds: boolean[][] = [];
    do rounds.push([await isGiven(large), await isGiven('x'.repeat(250_000))]);
    while (rounds.length < 40 && rounds.at(-1)!.some(Boolean));
    expect([rounds[0]![0], rounds.at(-1)]).toEqual([true, [false, false]]);
    expect(given((await nobody.post(seat, { text: 'short' })).body)).toBe('short');
  });
});
