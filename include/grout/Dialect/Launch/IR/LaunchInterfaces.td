//===- LaunchInterfaces.td - What all launches have --------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_LAUNCHINTERFACES_TD
#define GROUT_DIALECT_LAUNCH_IR_LAUNCHINTERFACES_TD

include "mlir/IR/OpBase.td"

def LaunchOpInterface : OpInterface<"LaunchOpInterface"> {
  let cppNamespace = "::grout::launch";
  let description = [{
    A launch of a plan: the buffers that it reads and writes, and the edges that
    lead to it from earlier launches. `LaunchOrder` defines the meaning of the
    edges. Scheduling policies and the verifier of the plan use a launch only
    through this interface.
  }];
  let methods = [
    InterfaceMethod<"What other launches are ordered after.",
      "::mlir::TypedValue<::grout::launch::TokenType>", "getToken">,
    InterfaceMethod<"The name, for people.", "::llvm::StringRef", "getName">,
    InterfaceMethod<"The tokens that it is ordered after.",
      "::mlir::OperandRange", "getAfter">,
    InterfaceMethod<"The same, to be changed.",
      "::mlir::MutableOperandRange", "getAfterMutable">,
    InterfaceMethod<"The kind of the edge from each of them: an Edge.",
      "::llvm::ArrayRef<int32_t>", "getEdges">,
    InterfaceMethod<"", "void", "setEdges",
      (ins "::llvm::ArrayRef<int32_t>":$edges)>,
    InterfaceMethod<"The branch of the plan that it is on.",
      "uint64_t", "getBranch">,
    InterfaceMethod<"", "void", "setBranch", (ins "uint64_t":$branch)>,
    InterfaceMethod<"How many of its tiles must be resident at once.",
      "uint64_t", "getResidents">,
    InterfaceMethod<"The buffers that it reads, and may write.",
      "::llvm::SmallVector<::mlir::Value>", "getReads">,
    InterfaceMethod<"The buffers that it writes, and may read.",
      "::llvm::SmallVector<::mlir::Value>", "getWrites">,
    InterfaceMethod<[{
        Whether its kernel waits for launches before it does anything else, as
        far as it starts before they end.
      }],
      "bool", "waitsAtEntry">,
    InterfaceMethod<[{
        Whether its kernel triggers others before it has waited for launches, as
        far as it waits.
      }],
      "bool", "triggersBeforeWait">,
    InterfaceMethod<[{
        Whether it may read `buffer` before it has waited for launches.
      }],
      "bool", "readsEarly", (ins "::mlir::Value":$buffer)>,
    InterfaceMethod<[{
        Whether tiles that read `buffer` wait for tiles of `earlier`, where
        there is an edge `tile` from that, as far as the launch still says so.
      }],
      "bool", "waitsForTiles",
      (ins "::mlir::Value":$buffer, "::mlir::Operation *":$earlier)>,
  ];
  let extraSharedClassDeclaration = [{
    /// Returns whether an edge of kind `edge` leads to this launch.
    bool hasEdge(::grout::launch::Edge edge) {
      return ::llvm::is_contained($_op.getEdges(), static_cast<int32_t>(edge));
    }
    /// Returns whether an edge from `token` leads to this launch.
    bool isAfter(::mlir::Value token) {
      return ::llvm::is_contained($_op.getAfter(), token);
    }
    /// Adds an edge of kind `edge` from `token`, unless this launch has that
    /// edge already.
    void addEdge(::mlir::Value token, ::grout::launch::Edge edge) {
      for (auto [after, kind] :
           ::llvm::zip_equal($_op.getAfter(), $_op.getEdges()))
        if (after == token && kind == static_cast<int32_t>(edge))
          return;
      ::llvm::SmallVector<int32_t> edges($_op.getEdges());
      edges.push_back(static_cast<int32_t>(edge));
      $_op.getAfterMutable().append(token);
      $_op.setEdges(edges);
    }
  }];
}

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHINTERFACES_TD
