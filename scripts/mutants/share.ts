import { createHash } from 'node:crypto';
import { relative } from 'node:path';

type Change = { id: string; fileName: string; mutatorName: string; replacement: string; location: object };
type Verdict = { status: 'passed' } | { status: 'compileError'; reason: string };

/** Whether a mutant is in the sample; a larger share contains the smaller one. @param share from 0 to 1 */
export function isDrawn(share: number, seed: string, change: readonly unknown[]): boolean {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...change]))
    .digest();
  return digest.readUInt32BE() < share * 2 ** 32;
}

/** Stryker checker that lets only a sample of the mutants through. */
class Share {
  static readonly inject = ['options'] as const;
  readonly #options: { mutantSample: { share: number; seed: string } };

  constructor(options: { mutantSample: { share: number; seed: string } }) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  group(changes: Change[]): string[][] {
    return [changes.map(({ id }) => id)];
  }

  async check(changes: Change[]): Promise<Record<string, Verdict>> {
    const { share, seed } = this.#options.mutantSample;
    const verdict = ({ fileName, mutatorName, replacement, location }: Change): Verdict =>
      isDrawn(share, seed, [relative(process.cwd(), fileName), mutatorName, replacement, location])
        ? { status: 'passed' }
        : { status: 'compileError', reason: 'not drawn' };
    return Object.fromEntries(changes.map(change => [change.id, verdict(change)]));
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'share', injectableClass: Share }];
