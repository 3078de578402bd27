// The script of the pages, which can be read and answered without it. One tab per browser follows changes.
import { startClocks, refresh } from './fresh.ts';
import { seat } from './seat.ts';
import type { RefreshResult } from './fresh.ts';

interface Hint {
  name: string;
}

/** Minimum milliseconds between two refreshes, however many hints arrive. */
const PAUSE_MS = 500;
const POLL_MS = 5000;
const LISTS_MS = 10_000;
/** Retry interval while the user is working in a changed part. */
const BUSY_MS = 2000;
const LOCK = 'council-stream';
/** Storage key for whether notifications are wanted. */
const WANTED = 'council-notify';
/** Over plain HTTP from another machine, both are undefined, although their types say otherwise. */
const safe = window as { Notification?: typeof Notification; isSecureContext: boolean };
const clipboard = navigator.clipboard as Clipboard | undefined;

function follow(): void {
  const main = document.getElementById('main');
  const followed = main?.dataset.follow;
  if (main === null || followed === undefined) return;
  const over = new AbortController();
  const wake = createRefresher((asked) => {
    const lost = document.getElementById('lost');
    const said = asked === 'lost' || asked === 'out' ? (main.dataset[asked] ?? '') : '';
    if (lost && lost.textContent !== said) lost.textContent = said;
    if (asked === 'over') over.abort();
  });
  const onHint = ({ name }: Hint): void => {
    if (followed === '' || name === followed) wake();
  };
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake());
  // There are no hints for approvals, questions and messages.
  if (followed === '') setInterval(() => wake(), LISTS_MS);
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) {
    setInterval(() => wake(), POLL_MS);
    return;
  }
  const others = new BroadcastChannel(LOCK);
  others.onmessage = ({ data }: MessageEvent<Hint>) => onHint(data);
  // The tab that gets the lock keeps it until it is closed; then another one gets it.
  const tell = (hint: Hint): void => (onHint(hint), others.postMessage(hint));
  void navigator.locks.request(LOCK, () => stream(tell, wake, over.signal));
}

/** Reads the hints for all councils, until this page no longer changes; then another tab gets the lock. */
function stream(onHint: (hint: Hint) => void, wake: Wake, over: AbortSignal): Promise<void> {
  let polling: ReturnType<typeof setInterval> | undefined;
  const open = (): void => {
    if (over.aborted) return;
    const source = new EventSource('/events');
    source.addEventListener('council', ({ data }: MessageEvent<string>) => onHint(JSON.parse(data) as Hint));
    source.onopen = () => {
      clearInterval(polling);
      polling = undefined;
      wake();
    };
    source.onerror = () => {
      // A browser retries sooner and fails again: keep the polling that has started.
      const isRefused = source.readyState === EventSource.CLOSED;
      // The council may have ended: a hidden tab checks this, too, or it would reconnect forever.
      if (polling === undefined || isRefused) wake(isRefused);
      polling ??= setInterval(() => wake(), POLL_MS);
      if (isRefused) setTimeout(open, POLL_MS);
    };
    over.addEventListener('abort', () => {
      source.close();
      clearInterval(polling);
    });
  };
  open();
  if (over.aborted) return Promise.resolve();
  return new Promise((resolve) => over.addEventListener('abort', () => resolve()));
}

/** Refreshes the page soon; in a hidden tab only if requested. */
type Wake = (evenUnseen?: boolean) => void;

/** Refreshes soon after each wake-up, one refresh at a time; calls `onAsked` with each result. */
function createRefresher(onAsked: (asked: RefreshResult) => void): Wake {
  let isAtIt = false;
  let isWanted = false;
  let isUnseen = false;
  const wake: Wake = (evenUnseen = false) => {
    isWanted = true;
    isUnseen ||= evenUnseen;
    if (!isAtIt) void refreshWhileWanted();
  };
  const refreshWhileWanted = async (): Promise<void> => {
    isAtIt = true;
    while (isWanted) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      isWanted = false;
      // A hidden tab is refreshed when it is shown, unless it has to notify.
      if (document.visibilityState === 'hidden' && !isUnseen && !isNotifying()) break;
      isUnseen = false;
      const before = document.title;
      const asked = await refresh();
      notifyNeeds(before);
      onAsked(asked);
      if (asked === 'busy' || asked === 'out') setTimeout(() => wake(), BUSY_MS);
      if (asked === 'moved' || asked === 'over') return;
    }
    isAtIt = false;
  };
  return wake;
}

/** The server's limit, too. */
const LONGEST = 1024 * 1024;

function drop(): void {
  for (const box of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-drop]')) {
    box.addEventListener('dragover', (event) => event.preventDefault());
    box.addEventListener('drop', (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      if (file.size > LONGEST) return;
      void file.text().then((text) => {
        box.value = text;
        box.dispatchEvent(new Event('input', { bubbles: true }));
      });
    });
  }
}

function join(): void {
  take();
  // A link opened in this page does not load it again.
  addEventListener('hashchange', take);
}

function take(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-join]');
  const code = form?.querySelector<HTMLInputElement>('#code');
  if (!form || !code || location.hash.length < 2) return;
  try {
    code.value = decodeURIComponent(location.hash.slice(1));
  } catch {
    // Not a code of council: the person types one.
    return;
  }
  // A code must not remain in the browser's history.
  history.replaceState(null, '', location.pathname + location.search);
  // A refused code is not sent again.
  if (!document.querySelector('#wrong')) form.requestSubmit();
}

/** Finds the page of a long council that contains the address's part. */
function followPartLinks(): void {
  openLinkedPart();
  addEventListener('hashchange', openLinkedPart);
}

function openLinkedPart(): void {
  const id = /^#((?:said|claim|challenge)-.+)/.exec(location.hash)?.[1];
  if (id === undefined || document.getElementById(id) || !document.querySelector('#contributions[data-cut]'))
    return;
  // If that page does not contain it either, give up.
  if (new URLSearchParams(location.search).get('at') !== id) location.replace(`?at=${id}#${id}`);
}

/** The key `/` focuses the search, unless the user is typing. */
function searchByKey(): void {
  document.addEventListener('keydown', (event) => {
    const isTyping = document.activeElement?.matches('input, textarea, select') === true;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    const find = document.getElementById('find');
    if (find === null) return;
    event.preventDefault();
    find.focus();
  });
}

/** Shows the buttons that copy the content of an address, or open it if copying fails. */
function showCopyButtons(): void {
  if (clipboard === undefined) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const from = button.dataset.copy ?? '';
    button.hidden = false;
    button.addEventListener('click', () => void copyAnswer(from, button));
  }
}

async function copyAnswer(from: string, button: HTMLButtonElement): Promise<void> {
  try {
    const answer = await fetch(from);
    if (!answer.ok) throw new Error(answer.statusText);
    await clipboard?.writeText(await answer.text());
    button.textContent = button.dataset.copied ?? '';
  } catch {
    location.assign(from);
  }
}

/** Returns whether to notify when something new needs the reader. Off by default. */
const isNotifying = (): boolean =>
  document.getElementById('notify') !== null &&
  safe.Notification?.permission === 'granted' &&
  localStorage.getItem(WANTED) === 'on';

/** Shows the button that turns notifications on and off. */
function offerNotifications(): void {
  const button = document.querySelector<HTMLButtonElement>('#notify');
  if (!button || !safe.isSecureContext || !safe.Notification) return;
  const show = (): void => button.setAttribute('aria-pressed', String(isNotifying()));
  button.hidden = false;
  show();
  button.addEventListener('click', () => {
    const isWanted = !isNotifying();
    localStorage.setItem(WANTED, isWanted ? 'on' : 'off');
    void (isWanted ? safe.Notification?.requestPermission() : undefined)?.then(show);
    show();
  });
}

/** Notifies if the title counts more needs than before. */
function notifyNeeds(before: string): void {
  const { title } = document;
  if (!isNotifying() || countNeeds(title) <= countNeeds(before)) return;
  const shown = new Notification(title, { tag: WANTED });
  shown.onclick = () => window.focus();
}

/** Parses 3 from "(3) Needs me". */
const countNeeds = (title: string): number => Number(/^\((\d+)\)/.exec(title)?.[1] ?? 0);

// At the end, when everything above is defined.
join();
followPartLinks();
seat();
startClocks();
drop();
follow();
searchByKey();
showCopyButtons();
offerNotifications();
