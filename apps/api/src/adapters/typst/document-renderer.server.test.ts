import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { documentOf } from '../../../test/document/sample-documents.ts';
import { createTypstRenderer } from './document-renderer.ts';

test('a renderer process that dies rejects the calls that wait for it, and the next one renders', async () => {
  const presses: ChildProcess[] = [];
  subscribe('child_process', message => presses.push((message as { process: ChildProcess }).process));
  const renderer = createTypstRenderer();
  const document = documentOf('receipt', 'en');
  const both = Promise.allSettled([renderer.render(document), renderer.render(document)]);
  presses[0]!.kill('SIGKILL');
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await renderer.render(document)).subarray(0, 5).toString()).toBe('%PDF-');
  expect(presses).toHaveLength(2);
});

test('a name in another script than its document is rendered; a character that no font has is refused', async () => {
  const renderer = createTypstRenderer();
  const document = documentOf('receipt', 'en');
  const named = (brand: string) => renderer.render({ ...document, brand });
  expect((await named('東京')).toString('latin1')).toMatch(/NotoSans(KR|JP|Hans)/);
  await expect(named('\u{13000}')).rejects.toThrow('could not be displayed');
  expect(await named(document.brand)).toEqual(await createTypstRenderer().render(document));
});
