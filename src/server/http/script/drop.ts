// A file that is dropped on a text box is read into it; it goes nowhere before the form is sent.

/** More is refused by the server as well. */
const LONGEST = 1024 * 1024;

export function drop(): void {
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
