import { driftOf } from '../../drift.ts';
import { tunnelDevice } from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { HostSet } from '../../plan.ts';
import type { Shaper } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import {
  actualClasses,
  askClasses,
  type Leaf,
  removeClasses,
  rootLine,
  shaperLines,
  strayClasses,
  wantedClasses,
} from './classes.ts';

/** Class that no subscription has, used to test whether the kernel supports a qdisc. */
const PROBE = '1:1';

/** @param wan the host's network card */
export function createShaper(wan: string, log: Log): Shaper {
  let leaf: Leaf = 'bfifo';

  /**
   * Devices that have our root. The kernel refuses a second `replace` of an HTB root, so this is
   * checked first.
   */
  async function rooted(): Promise<Set<string>> {
    const disciplines = JSON.parse(await must('tc', ['-j', 'qdisc', 'show'])) as {
      kind: string;
      handle: string;
      dev: string;
      root?: boolean;
    }[];
    return new Set(
      disciplines.filter(q => q.root && q.kind === 'htb' && q.handle === '1:').map(({ dev }) => dev),
    );
  }

  /**
   * Classes of the card and of the set's devices, each as `device class`. Devices without a root
   * have none.
   */
  async function actual(set: HostSet): Promise<string[]> {
    const present = await rooted();
    const devices = [wan, ...set.subscriptions.map(tunnelDevice)].filter(device => present.has(device));
    const { stdout } = await run('tc', ['-force', '-batch', '-'], `${askClasses(devices).join('\n')}\n`);
    return actualClasses(stdout, devices);
  }

  /** A failed line does not stop the others. */
  async function batch(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const { code, stderr } = await run('tc', ['-force', '-batch', '-'], `${lines.join('\n')}\n`);
    if (code !== 0) log('tcRefused', { words: stderr.trim().slice(0, 300) });
  }

  return {
    async prepare() {
      if (!(await rooted()).has(wan)) await must('tc', rootLine(wan).split(' '));
      const probe = ['dev', wan, 'parent', '1:', 'classid', PROBE, 'htb', 'rate', '1mbit'];
      await must('tc', ['class', 'replace', ...probe]);
      const { code } = await run('tc', ['qdisc', 'replace', 'dev', wan, 'parent', PROBE, 'fq_codel']);
      await must('tc', ['class', 'del', 'dev', wan, 'classid', PROBE]);
      leaf = code === 0 ? 'fq_codel' : 'bfifo';
    },

    drift: async set => driftOf('rate', await actual(set), wantedClasses(set, { wan, leaf })),

    async sweep(set) {
      await batch(removeClasses(strayClasses(await actual(set), wantedClasses(set, { wan, leaf }))));
    },

    async apply(changes) {
      const fresh = changes.added.map(tunnelDevice);
      const present = fresh.length > 0 ? await rooted() : new Set<string>();
      const roots = fresh.filter(device => !present.has(device)).map(rootLine);
      await batch([...roots, ...shaperLines(changes, { wan, leaf })]);
    },
  };
}
