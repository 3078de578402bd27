import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Programs that plain Node runs as they stand: they have no types. */
const PLAIN = ['scripts/build.mjs', 'templates/demo/*.mjs'];

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'conseils/', 'memory/', 'test/fixtures/'] },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', ...PLAIN] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-base-to-string': 'off',
      // Ports are plain objects of functions; nothing here uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only: a name can be found.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' },
        {
          selector: "ClassDeclaration:not([superClass.name='Error'])",
          message: 'Factories that return plain objects; classes are for errors.',
        },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      'src/core/app/**',
      'src/core/cli/**',
      'src/team/**',
      'src/server/**',
      'src/postgres/**',
      'src/program/**',
      'src/server/http/script/**',
      'src/panel/main.ts',
    ],
    rules: { 'no-restricted-globals': ['error', { name: 'fetch', message: 'I/O belongs to the edges.' }] },
  },
  // Whatever does not go through this file's templates would not be escaped.
  {
    files: ['src/**/*.ts'],
    ignores: ['src/server/page/html.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: ['hono/html', 'hono/jsx'] }] },
  },
  {
    files: ['*.ts', '*.js', 'scripts/**', 'bench/**', 'test/**'],
    rules: { 'no-restricted-syntax': 'off', 'no-console': 'off' },
  },
  // Vitest's matchers are typed as any.
  { files: ['test/**'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
  {
    files: PLAIN,
    languageOptions: { globals: { process: 'readonly', console: 'readonly', setTimeout: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
  {
    files: ['eslint.config.js', ...PLAIN],
    extends: [tseslint.configs.disableTypeChecked],
  },
);
