import { expect, it } from 'vitest';
import { withoutFolders } from '../../src/mcp/access.ts';

it('tells a participant over the network no folder of this machine', () => {
  const document = {
    error: { code: 'too_large', kept: '/home/ana/.local/state/council/7f/kept-ana.md' },
    kept: 'C:\\state\\kept-ana.md',
    path: 'conseils/2026-11-22-go.md',
    text: '/etc/passwd is named here',
  };
  expect(withoutFolders({ document, text: '', failed: true }).document).toEqual({
    error: { code: 'too_large', kept: 'kept-ana.md' },
    kept: 'kept-ana.md',
    path: 'conseils/2026-11-22-go.md',
    text: '/etc/passwd is named here',
  });
});
