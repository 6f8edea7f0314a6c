import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './cx.ts';
import { IconCheck } from './icons.tsx';
import css from './menu.module.css';
import type { MenuItem, MenuOption } from './menu.tsx';

type Frame = { trigger: ReactElement; align: 'start' | 'end' };

/** Opens as soon as it is loaded: the press that fetched it was the first press on the trigger. */
function MenuFrame({ trigger, align, children }: Frame & { children: ReactNode }) {
  return (
    <Base.Root defaultOpen modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={css.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function ActionMenu(
  props: Frame & { items: readonly (MenuItem | 'separator')[]; header?: ReactNode },
) {
  const { items, header, ...frame } = props;
  return (
    <MenuFrame {...frame}>
      {header && <div className={css.header}>{header}</div>}
      {items.map((item, index) =>
        item === 'separator' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
          <Base.Separator key={index} className={css.separator} />
        ) : (
          <Item key={item.label} {...item} />
        ),
      )}
    </MenuFrame>
  );
}

function Item({ label, icon, href, onSelect, danger, lang }: MenuItem) {
  const className = cx(css.item, icon !== undefined && css.withIcon, danger && css.danger);
  const content = (
    <>
      {icon}
      <span lang={lang}>{label}</span>
    </>
  );
  if (href === undefined) {
    return (
      <Base.Item className={className} onClick={onSelect}>
        {content}
      </Base.Item>
    );
  }
  return (
    <Base.LinkItem className={className} href={href} onClick={onSelect} closeOnClick>
      {content}
    </Base.LinkItem>
  );
}

export function ChoiceMenu(
  props: Frame & { value: string; options: readonly MenuOption[]; onChange: (value: string) => void },
) {
  const { value, options, onChange, ...frame } = props;
  return (
    <MenuFrame {...frame}>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map(option => (
          <Base.RadioItem key={option.value} value={option.value} className={css.item} closeOnClick>
            <span lang={option.lang}>{option.label}</span>
            {option.detail && <span className={css.detail}>{option.detail}</span>}
            <Base.RadioItemIndicator>
              <IconCheck />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </MenuFrame>
  );
}
