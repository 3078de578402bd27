import { describe, expect, it } from 'vitest';
import { findTopic } from '../../../src/core/app/topic.ts';

const TEXT = '\nWe keep the monolith, or we split it.\n';

describe('the topic of a brief', () => {
  it.each([
    ['a heading', `# Split the shop?\n${TEXT}`],
    ['a byte order mark', `\uFEFF# Split the shop?\n${TEXT}`],
    ['an underlined heading before another one', `Split the shop?\n===\n${TEXT}\n# More\n`],
    ['marks that close a heading', `## Split the shop? ##\n${TEXT}`],
    ['a comment in the heading', `# Split the shop? <!-- replace this -->\n${TEXT}`],
    ['a comment above it', `<!-- # Title\nof yours -->\n\n# Split the shop?\n${TEXT}`],
    ['code above it', `\`\`\`\n# no title\n\`\`\`\n# Split the shop?\n${TEXT}`],
    ['YAML', `---\ntitle: Split the shop?\nstatus: proposed\n---\n# Summary\n${TEXT}`],
    ['YAML in quotes, below blank lines', `\uFEFF\n---\ntitle: "Split the shop?"\n---\n${TEXT}`],
    ['YAML without a title', `---\nstatus: proposed\n---\n# Split the shop?\n${TEXT}`],
    ['TOML', `+++\ntitle = "Split the shop?"\n+++\n${TEXT}`],
    ['JSON', `{\n  "title": "Split the shop?",\n  "draft": true\n}\n${TEXT}`],
    ['a header', `PEP: 9999\nTitle: Split the shop?\nStatus: Draft\n\nAbstract\n========\n${TEXT}`],
  ])('is found with %s', (_, brief) => {
    expect(findTopic(brief, 'question.md')).toBe('Split the shop?');
  });

  it.each(['# Summary', '## 1. Résumé', 'Abstract\n========', '# TL;DR:', '# 概要'])(
    'is not the heading %j of a section',
    (heading) => {
      expect(findTopic(`- Start: 2026-01-05\n\n${heading}\n${TEXT}`, 'rfcs/0042-split-shop.md')).toBe(
        'Split shop',
      );
      expect(findTopic(`- Start: 2026-01-05\n\n${heading}\n${TEXT}`, '-')).toBe(TEXT.trim());
    },
  );

  it('is the first sentence without any heading, and nothing of an empty text', () => {
    expect(findTopic(`+++\ndraft = true\n+++\n${TEXT}`, 'question-of-shops.md')).toBe(TEXT.trim());
    expect(findTopic('<!-- nothing -->\n\n---\n', 'question-of-shops.md')).toBeUndefined();
    expect(findTopic('# Summary\n', '-')).toBe('Summary');
    expect(findTopic('# 分割商店吗？\n', '-')).toBe('分割商店吗？');
    expect(findTopic('a <!-- b\n', '-')).toBe('a <!-- b');
  });
});
