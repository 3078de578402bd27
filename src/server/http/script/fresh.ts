// Fetches the page again and replaces what has changed, except where the user is working.

import { formatUnbrokenTime } from '../../page/elapsed-time.ts';

interface Policy {
  createHTML(text: string): string;
}
interface WithPolicies {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}

/** Only pages of this server are parsed as HTML. */
const policy = (window as WithPolicies).trustedTypes?.createPolicy('council', { createHTML: (text) => text });

const parseHtml = (text: string): Document =>
  new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, 'text/html');

/** The result of a refresh: up to date, postponed, moved to another page, final, signed out, or no answer. */
export type RefreshResult = 'fresh' | 'busy' | 'moved' | 'over' | 'out' | 'lost';

/** Fetches the page again and replaces what has changed. */
export async function refresh(): Promise<RefreshResult> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
    text = await answer.text();
  } catch {
    return 'lost';
  }
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname)
    return followCouncil(answer.url);
  if (answer.status === 401) return followCouncil(new URL('/join', location.href).href);
  // A page that is gone stays on the screen.
  if (answer.status === 404) return 'fresh';
  if (!answer.ok) return 'lost';
  const page = parseHtml(text);
  showLocalTimes(page);
  let isBusy = false;
  for (const there of document.querySelectorAll('[data-live]')) {
    const now = page.getElementById(there.id);
    if (!now) continue;
    keepOpen(there, now);
    if (!sync(there, now)) isBusy = true;
  }
  renewTurn(page);
  renewToken(page);
  tell(page);
  document.title = page.title;
  if (isBusy) return 'busy';
  return page.getElementById('main')?.dataset.follow === undefined ? 'over' : 'fresh';
}

/** Follows a redirect. A user who is typing stays, and learns about it when sending. */
function followCouncil(url: string): RefreshResult {
  if (isTyping()) return new URL(url).pathname === '/join' ? 'out' : 'busy';
  location.assign(url);
  return 'moved';
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const listFormFields = (within: ParentNode): Field[] => [
  ...within.querySelectorAll<Field>('textarea, input:not([type=hidden])'),
];

const isTyping = (): boolean => listFormFields(document).some(isChanged);

const isChanged = (one: Field): boolean =>
  one.value !== one.defaultValue || ('checked' in one && one.checked !== one.defaultChecked);

/** Replaces the form of a seat by the current one, unless something is filled in. */
function renewTurn(page: Document): void {
  const there = document.getElementById('turn');
  const now = page.getElementById('turn');
  if (!there || !now || there.dataset.key === now.dataset.key || isUsed(there)) return;
  const hadFocus = there.contains(document.activeElement);
  const fresh = document.importNode(now, true);
  there.replaceWith(fresh);
  if (hadFocus) fresh.querySelector<HTMLElement>('#text')?.focus({ preventScroll: true });
  document.dispatchEvent(new Event('turn'));
}

/** Updates the token of a form, so that a user who joined again in the same round can send what was typed. */
function renewToken(page: Document): void {
  const [old, now] = [document, page].map((one) => one.querySelector<HTMLFormElement>('form[data-seat]'));
  const token = 'input[name=form-token]';
  const [there, fresh] = [old, now].map((form) => form?.querySelector<HTMLInputElement>(token));
  if (there && fresh && old?.dataset.seat === now?.dataset.seat) there.value = fresh.value;
}

/** A recorded answer in a form counts only if it was changed. */
const isUsed = (turn: Element): boolean =>
  listFormFields(turn).some(turn.querySelector('[data-recorded]') ? isChanged : isFilled);

/** A box ticked for an empty value, such as "No vote", does not count. */
const isFilled = (one: Field): boolean =>
  one.value.trim() !== '' && (!('checked' in one) || !/^(?:radio|checkbox)$/.test(one.type) || one.checked);

/** Keeps opened and closed sections as the reader left them. */
function keepOpen(there: Element, now: Element): void {
  const open = new Map(listFoldedParts(there).map(([key, one]) => [key, one.open]));
  for (const [key, one] of listFoldedParts(now)) one.open = open.get(key) ?? one.open;
}

/** Lists collapsible sections by id, or else by position within the closest part with an id. */
function listFoldedParts(within: Element): [string, HTMLDetailsElement][] {
  const places = new Map<string, number>();
  return [...within.querySelectorAll('details')].map((one) => {
    if (one.id !== '') return [one.id, one];
    const part = one.parentElement?.closest('[id]')?.id ?? '';
    const place = places.get(part) ?? 0;
    places.set(part, place + 1);
    return [`${part} ${place}`, one];
  });
}

/** Updates an element with minimal changes. Returns false if the user is working in a changed part. */
function sync(there: Element, now: Element): boolean {
  if (there.isEqualNode(now)) return true;
  if (!hasParts(there) || !hasParts(now) || there.tagName !== now.tagName) {
    if (isAtWork(there)) return false;
    there.replaceWith(document.importNode(now, true));
    return true;
  }
  return syncParts(there, now);
}

/** Elements whose children all have ids are updated child by child, so that the others keep their place. */
const hasParts = (one: Element): boolean =>
  one.children.length > 0 && [...one.children].every(({ id }) => id !== '');

function syncParts(there: Element, now: Element): boolean {
  const known = new Map([...there.children].map((part) => [part.id, part]));
  let isDone = true;
  let last: Element | undefined;
  for (const part of [...now.children]) {
    const old = known.get(part.id);
    known.delete(part.id);
    if (old) {
      const id = old.id;
      if (!sync(old, part)) isDone = false;
      last = there.querySelector(`:scope > #${CSS.escape(id)}`) ?? last;
    } else {
      const fresh = document.importNode(part, true);
      if (last) last.after(fresh);
      else there.prepend(fresh);
      last = fresh;
    }
  }
  for (const gone of known.values())
    if (isAtWork(gone)) isDone = false;
    else gone.remove();
  return isDone;
}

/** Whether it contains the focus or selected text. */
function isAtWork(one: Element): boolean {
  if (one.contains(document.activeElement)) return true;
  const marked = document.getSelection();
  return marked !== null && !marked.isCollapsed && marked.containsNode(one, true);
}

/** Updates the sentence of news for screen readers if it has changed. */
function tell(page: Document): void {
  const main = document.getElementById('main');
  const news = page.getElementById('main')?.dataset.news ?? '';
  if (!main || main.dataset.news === news) return;
  main.dataset.news = news;
  const told = document.getElementById('news');
  if (told) told.textContent = news;
}

const EACH_MS = 1000;

/** Shows times in the reader's time zone, in the language of the page. */
function showLocalTimes(page: Document): void {
  const { lang } = page.documentElement;
  const format = new Intl.DateTimeFormat(navigator.languages.find((one) => one.startsWith(lang)) ?? lang, {
    ...({ day: 'numeric', month: 'short', year: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const),
  });
  for (const one of page.querySelectorAll('time')) {
    const at = Date.parse(one.dateTime);
    if (Number.isFinite(at)) one.textContent = format.format(at);
  }
}

/** Shows times as local ones, and updates running durations. */
export function startClocks(): void {
  showLocalTimes(document);
  const tell = (): void => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-until]'))
      show(one, Date.parse(one.dataset.until ?? '') - Date.now());
    for (const one of document.querySelectorAll<HTMLElement>('[data-since]'))
      show(one, Date.now() - Date.parse(one.dataset.since ?? ''));
  };
  setInterval(tell, EACH_MS);
}

function show(element: HTMLElement, ms: number): void {
  if (!Number.isFinite(ms)) return;
  // Whole seconds: tenths are only for finished durations.
  const day = element.closest('main')?.dataset.day ?? '';
  const text = formatUnbrokenTime(Math.max(0, Math.floor(ms / 1000) * 1000), { decimal: '', day });
  if (element.textContent !== text) element.textContent = text;
}
