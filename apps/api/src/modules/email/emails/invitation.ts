import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import type { Translate } from '../../text/index.ts';
import type { EmailContent } from '../email-content.ts';

/**
 * Sent to somebody whom an owner invites to work for their customer. Names the inviter by their address: a name would be text
 * that anybody could have a stranger read (S17).
 */
export const invitation = (
  t: Translate,
  { role, inviter, url }: { role: TeamRole; inviter: string; url: string },
): EmailContent => ({
  subject: t('invitation.subject'),
  preview: t('invitation.preview', { inviter }),
  paragraphs: [t('invitation.body', { inviter }), t(`invitation.role.${role}`)],
  action: { label: t('invitation.action'), url },
  notes: [t('invitation.note')],
});
