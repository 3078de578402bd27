// What the pages do outside of their tab: the clipboard, and notifications on the desktop. Browsers allow both on safe connections only.

/** Over plain HTTP from another machine both are undefined, although their types say otherwise. */
const safe = window as { Notification?: typeof Notification; isSecureContext: boolean };
const clipboard = navigator.clipboard as Clipboard | undefined;

/** Shows the buttons that copy what an address gives; where that fails, the address is opened. */
export function showCopyButtons(): void {
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

/** Where this browser keeps that notifications are wanted. */
const WANTED = 'council-notify';

/** Whether a notification is shown when something new needs the reader. Off until it is asked for. */
export const isNotifying = (): boolean =>
  document.getElementById('notify') !== null &&
  safe.Notification?.permission === 'granted' &&
  localStorage.getItem(WANTED) === 'on';

/** Shows the button that turns notifications on and off. */
export function offerNotifications(): void {
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
export function notifyNeeds(before: string): void {
  const { title } = document;
  if (!isNotifying() || countNeeds(title) <= countNeeds(before)) return;
  const shown = new Notification(title, { tag: WANTED });
  shown.onclick = () => window.focus();
}

/** "(3) Needs me": 3. */
const countNeeds = (title: string): number => Number(/^\((\d+)\)/.exec(title)?.[1] ?? 0);
