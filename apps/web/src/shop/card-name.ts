/** Display name of a card brand (`visa`, `mastercard`, `amex`). */
export const brandName = (brand: string): string =>
  brand === 'amex' ? 'American Express' : brand.charAt(0).toUpperCase() + brand.slice(1);

/** A card as its owner knows it. */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${brandName(brand)} •••• ${last4}`;
