// The script of the pages: everything can be read and answered without it. One tab of a browser follows what changes.
import { clocks, refresh } from './fresh.ts';
import { seat } from './seat.ts';
import type { Asked } from './fresh.ts';

interface Hint {
  name: string;
}

/** Milliseconds between two refreshes, however many hints come. */
const PAUSE_MS = 500;
const POLL_MS = 5000;
const LISTS_MS = 10_000;
/** While the user is at work in what has changed, it is tried again. */
const BUSY_MS = 2000;
const LOCK = 'council-stream';
/** Where this browser keeps that notifications are wanted. */
const WANTED = 'council-notify';
/** Over plain HTTP from another machine both are undefined, although their types say otherwise. */
const safe = window as { Notification?: typeof Notification; isSecureContext: boolean };
const clipboard = navigator.clipboard as Clipboard | undefined;

function follow(): void {
  const main = document.getElementById('main');
  const followed = main?.dataset.follow;
  if (main === null || followed === undefined) return;
  const over = new AbortController();
  const wake = refresher((asked) => {
    const lost = document.getElementById('lost');
    const said = asked === 'lost' || asked === 'out' ? (main.dataset[asked] ?? '') : '';
    if (lost && lost.textContent !== said) lost.textContent = said;
    if (asked === 'over') over.abort();
  });
  const onHint = ({ name }: Hint): void => {
    if (followed === '' || name === followed) wake();
  };
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake());
  // Of approvals, questions and messages no hint tells.
  if (followed === '') setInterval(() => wake(), LISTS_MS);
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) {
    setInterval(() => wake(), POLL_MS);
    return;
  }
  const others = new BroadcastChannel(LOCK);
  others.onmessage = ({ data }: MessageEvent<Hint>) => onHint(data);
  // The tab that gets the lock keeps it as long as it is open; then another one does.
  const tell = (hint: Hint): void => (onHint(hint), others.postMessage(hint));
  void navigator.locks.request(LOCK, () => stream(tell, wake, over.signal));
}

/** Reads the hints of every council that may be followed, until nothing changes any more here: then it is another tab's turn. */
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
      // A browser tries again sooner than that, and errs again: what is begun goes on.
      const isRefused = source.readyState === EventSource.CLOSED;
      // The council may be over: that is looked up in a hidden tab as well, else it is asked for ever.
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

/** Has the page refreshed soon; in a hidden tab, only if that is asked for. */
type Wake = (evenUnseen?: boolean) => void;

/** Refreshes soon after it is woken, one refresh at a time; `onAsked` hears what came of each. */
function refresher(onAsked: (asked: Asked) => void): Wake {
  let isAtIt = false;
  let isWanted = false;
  let isUnseen = false;
  const wake: Wake = (evenUnseen = false) => {
    isWanted = true;
    isUnseen ||= evenUnseen;
    if (!isAtIt) void again();
  };
  const again = async (): Promise<void> => {
    isAtIt = true;
    while (isWanted) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      isWanted = false;
      // A hidden tab is refreshed when it is shown, unless it is to notify.
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

/** More is refused by the server as well. */
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
  // A link that is opened where the page stands already loads nothing anew.
  addEventListener('hashchange', take);
}

function take(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-join]');
  const code = form?.querySelector<HTMLInputElement>('#code');
  if (!form || !code || location.hash.length < 2) return;
  try {
    code.value = decodeURIComponent(location.hash.slice(1));
  } catch {
    // No code of ours: the person types one.
    return;
  }
  // A code does not belong into the history of a browser.
  history.replaceState(null, '', location.pathname + location.search);
  // One that was refused is not sent again and again.
  if (!document.querySelector('#wrong')) form.requestSubmit();
}

/** An address within a long council leads to the page that has it. */
function part(): void {
  go();
  addEventListener('hashchange', go);
}

function go(): void {
  const id = /^#((?:said|claim|challenge)-.+)/.exec(location.hash)?.[1];
  if (id === undefined || document.getElementById(id) || !document.querySelector('#contributions[data-cut]'))
    return;
  // One that is not there either is not asked for again.
  if (new URLSearchParams(location.search).get('at') !== id) location.replace(`?at=${id}#${id}`);
}

/** The key `/` goes to the search, unless something is being typed. */
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

/** Shows the buttons that copy what an address gives; where that fails, the address is opened. */
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

/** Whether a notification is shown when something new needs the reader. Off until it is asked for. */
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

/** Notifies once if more needs the reader now than the title said before. */
function notifyNeeds(before: string): void {
  const { title } = document;
  if (!isNotifying() || countNeeds(title) <= countNeeds(before)) return;
  const shown = new Notification(title, { tag: WANTED });
  shown.onclick = () => window.focus();
}

/** "(3) Needs me": 3. */
const countNeeds = (title: string): number => Number(/^\((\d+)\)/.exec(title)?.[1] ?? 0);

// At the end: what stands above is there by then.
join();
part();
seat();
clocks();
drop();
follow();
searchByKey();
showCopyButtons();
offerNotifications();
