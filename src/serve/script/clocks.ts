// Clocks that go on: how much time is left, and how long something has taken. Nobody is told each second of them.
import { lasted } from '../../page/lasted.ts';

const EACH_MS = 1000;

export function clocks(): void {
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
  // Whole seconds: tenths are for what is over.
  const day = element.closest('main')?.dataset.day ?? '';
  const text = lasted(Math.max(0, Math.floor(ms / 1000) * 1000), { decimal: '', day });
  if (element.textContent !== text) element.textContent = text;
}
