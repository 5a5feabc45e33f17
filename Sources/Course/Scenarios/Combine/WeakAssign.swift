import MemlabKit

extension Scenario {
  private static let endings = LoaderEndings(WeakAssign.ModelLoader<Article>.init)

  /// `weak-assign`: weakAssign(to:on:), a weak variant of assign.
  static let weakAssign = Scenario(
    id: "weak-assign", title: "weakAssign(to:on:), a weak variant of assign",
    document: .combineMemory, place: "its second loader", lesson: "04-combine-and-its-cancellables",
    question: "The pipeline names self, and no closure at the call site says weak. What is left "
      + "when the loader is dropped?",
    hint: "Read weakAssign, not the call: what does its closure capture?",
    beliefs: [.cycle("The pipeline names self, and the loader stores it.")],
    next: "flatmap-weak-self",
    endings: [
      endings.complete(
        expects: .loader(.clean, loaded: 1, sets: 2),
        explanation: "Completion releases the whole pipeline before the loader is dropped."),
      endings.drop(
        expects: .loader(.clean, loaded: 0, sets: 1, cancelled: 1),
        explanation: "The extension's closure captures the object weakly, so the loader is "
          + "deinitialised, its cancellable is released, and the request is cancelled."
      )
      .claiming(
        "weakAssign assigns to a property of an object that is captured by a weak reference",
        original: "将给定发布者的输出赋值给使用弱引用捕获的对象的属性"
      ) { $0.object("ModelLoader<Article>").alive == 0 }
      .claiming("weakAssign is only syntactic sugar", original: "新的weakAssign方法纯粹是语法糖吗?是的。") {
        $0.metric("requestsCancelled") == 1 && $0.metric("requestsOpen") == 0
      },
      endings.fail(
        expects: .loader(.clean, loaded: 0, sets: 2),
        explanation: "catch receives the decoder's error, and its Just sets the state and "
          + "completes. An error ends the pipeline just as success does."),
    ])
}

/// The document's second loader.
enum WeakAssign {
  /// Loads a model from a URL.
  final class ModelLoader<Model: Decodable>: Loader<Model, Model>, LoaderUnderStudy {
    // snippet:code
    func load() {
      state = .loading

      cancellable =
        session
        .dataTaskPublisher(for: url)
        .map(\.data)
        .decode(type: Model.self, decoder: decoder)
        .map(State.loaded)
        .catch { error in
          Just(.failed(error))
        }
        .receive(on: DispatchQueue.main)
        .weakAssign(to: \.state, on: self)
    }
    // snippet:end
  }
}

// snippet:extension
extension Publisher where Failure == Never {
  func weakAssign<T: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<T, Output>,
    on object: T
  ) -> AnyCancellable {
    sink { [weak object] value in
      object?[keyPath: keyPath] = value
    }
  }
}
// snippet:end
