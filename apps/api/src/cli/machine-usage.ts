import { databaseUsage } from './database.ts';
import type { Usage } from './help.ts';

/** Commands of the installed package on its machine, as root. */
const packaged = [
  {
    form: 'setup [--answers FILE] [--json]',
    summary:
      'Sets the shop of this machine up: asks six questions, makes database, settings, webhooks and proxy file, starts the shop and checks it. With the installed package only.',
    options: [
      {
        option: '--answers FILE',
        meaning: 'Settings (NAME=value) that answer the questions, as for cloud-init',
      },
    ],
  },
  {
    form: 'doctor [--json]',
    summary:
      'The same without questions: repairs what it can, and names what is left to do with its remedy. Exits with 1 when something is left. With the installed package only.',
    options: [],
  },
  {
    form: 'upgrade FILE.deb|URL [--backed-up] [--json]',
    summary:
      'Checks the signature of a newer package, makes a backup (as `backup make` does), expands the database while the shop sells, installs the package, and serves the agent of the release to hosts. With the installed package only.',
    options: [{ option: '--backed-up', meaning: 'Makes no backup: you have one of now' }],
  },
  {
    form: 'rollback [FILE.deb] [--check] [--json]',
    summary: 'Installs the version before, if the database allows it. With the installed package only.',
    options: [
      { option: 'FILE.deb', meaning: 'Its package; without it, the one that upgrade has kept' },
      { option: '--check', meaning: 'Only says whether there is a way back' },
    ],
  },
];

/** Usage of the commands on the machine itself, which are no operations of staff. */
export const machineUsage: readonly Usage[] = [
  ...databaseUsage.map(({ form, does }) => ({ area: 'database', form, summary: does, options: [] })),
  ...packaged.map(usage => ({ area: usage.form.split(' ')[0]!, ...usage })),
];
