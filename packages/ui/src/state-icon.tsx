import { IconError, IconInfo, IconSuccess, IconWarning } from './icons.tsx';

export type MessageType = 'info' | 'success' | 'warning' | 'error';

const icons = { info: IconInfo, success: IconSuccess, warning: IconWarning, error: IconError };

/** Icon beside the text of a message: a state is never shown by colour alone. */
export function StateIcon({ type }: { type: MessageType }) {
  const Icon = icons[type];
  return <Icon />;
}
