import type { Translate } from '../../text/index.ts';
import type { EmailContent } from '../email-content.ts';

/** Sent to an address that was typed under a sold-out place: only its owner can confirm it. */
export const confirmPlaceNotice = (
  t: Translate,
  { place, url }: { place: string; url: string },
): EmailContent => ({
  subject: t('placeConfirm.subject', { place }),
  preview: t('placeConfirm.preview'),
  paragraphs: [t('placeConfirm.body', { place })],
  action: { label: t('placeConfirm.action'), url },
  notes: [t('placeConfirm.note')],
});

/** Sent once, when the place can be bought again. Its address is erased then. */
export const placeFree = (t: Translate, { place, url }: { place: string; url: string }): EmailContent => ({
  subject: t('placeFree.subject', { place }),
  preview: t('placeFree.preview'),
  paragraphs: [t('placeFree.body', { place })],
  action: { label: t('placeFree.action'), url },
  notes: [t('placeFree.note')],
});
