import { expect, test } from 'vitest';
import { settingsIn, withSettings } from './settings-file.ts';

test('OP15 a setting is written where its comment stands, once, and reads back as it was given', () => {
  const file = '# The name\n#BRAND_NAME=Fixpoint\n\nPORT=1\nPORT=2\n# The end\n';
  const values = { BRAND_NAME: 'Ann’s #1 "VPN"', PORT: '8080', SMTP_URL: 'smtps://a:b%23@mail.example.com' };
  const changed = withSettings(file, values);
  expect(settingsIn(changed)).toEqual(values);
  expect(changed).toContain('# The name\nBRAND_NAME=');
  expect(changed.match(/^PORT=/gm)).toHaveLength(1);
  expect(changed).toContain('# The end');
  expect(withSettings(changed, values)).toBe(changed);
});

test('OP12 a value that the file cannot hold is refused by name', () => {
  expect(() => withSettings('', { BRAND_NAME: 'a\nPORT=1' })).toThrow('BRAND_NAME');
});

test('OP12 lines of settings that do not change stay as they are, and a changed one keeps its comment', () => {
  const file = "export A='a' # first\n  B = b # second\nC=\"c\"\nD=d#e\nE=old # why\nF='f #1' # more\n";
  expect(withSettings(file, { ...settingsIn(file), E: 'new', F: 'g' })).toBe(
    'export A=\'a\' # first\n  B = b # second\nC="c"\nD=d#e\nE=new # why\nF=g # more\n',
  );
  expect(withSettings(file, { B: 'two' })).toContain('\nB=two # second\n');
});
