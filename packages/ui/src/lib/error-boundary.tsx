import { Component, type ReactNode } from 'react';

type Props = {
  fallback: ReactNode;
  /** A change clears the error and renders the children again. */
  resetKey?: string;
  onError?: (error: unknown) => void;
  children: ReactNode;
};

/**
 * Contains the failure of one part of the page. React supports error boundaries only as classes.
 */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error);
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
