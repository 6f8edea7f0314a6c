import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { IconClose } from './icons.tsx';
import css from './snackbar.module.css';
import type { Snack, SnackbarStore } from './snackbar-store.ts';
import { type MessageType, StateIcon } from './state-icon.tsx';

/**
 * Shows the snacks of a store: at the bottom, in a narrow window at the top. `typeLabel` names the
 * type, so that colour is not alone. A portal with explicit `aria-live` keeps snacks above dialogs
 * and audible while one is open.
 */
export function SnackbarHost(props: {
  store: SnackbarStore;
  dismissLabel: string;
  typeLabel: (type: MessageType) => string;
}) {
  const { store, dismissLabel, typeLabel } = props;
  const snacks = useSyncExternalStore(store.subscribe, store.snapshot);
  const show = (snack: Snack) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only pause the timers
    <div
      key={snack.id}
      className={cx(css.snack, css[snack.type], snack.leaving && css.leaving)}
      onPointerEnter={() => store.hold(snack.id)}
      onPointerLeave={store.release}
      onFocus={() => store.hold(snack.id)}
      onBlur={store.release}
    >
      <StateIcon type={snack.type} />
      <div className={css.text}>
        <span className="visually-hidden">{`${typeLabel(snack.type)}: `}</span>
        <span>{snack.text}</span>
      </div>
      {snack.code && (
        <span className={css.code} translate="no">
          {snack.code}
        </span>
      )}
      <IconButton
        label={dismissLabel}
        icon={<IconClose />}
        size="s"
        onClick={() => store.dismiss(snack.id)}
      />
    </div>
  );
  const errors = snacks.filter(snack => snack.type === 'error');
  const others = snacks.filter(snack => snack.type !== 'error');
  return createPortal(
    <div className={css.host}>
      <div className={css.region} role="status" aria-live="polite">
        {others.map(show)}
      </div>
      <div className={css.region} role="alert" aria-live="assertive">
        {errors.map(show)}
      </div>
    </div>,
    document.body,
  );
}
