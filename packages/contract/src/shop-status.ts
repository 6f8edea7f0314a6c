/** MAINTENANCE: buying was blocked or allowed again; sent to every open page. */
export const shopStatuses = ['NORMAL', 'MAINTENANCE'] as const;
export type ShopStatus = (typeof shopStatuses)[number];

/** Header of every answer of a call with the shop's status, for pages without a live socket. */
export const SHOP_STATUS = 'shop-status';
