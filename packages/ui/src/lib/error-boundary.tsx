import { Component, type ReactNode } from 'react';

type Props = {
  fallback: ReactNode;
  /** What is tried again when it changes. */
  resetKey?: string;
  onError?: (error: unknown) => void;
  children: ReactNode;
};

/** Keeps a fault of one part from taking the page away. React knows error boundaries only as classes. */
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
