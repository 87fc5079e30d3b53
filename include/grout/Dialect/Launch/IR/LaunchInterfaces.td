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
    InterfaceMethod<"Returns the token from which edges to others start.",
      "::mlir::TypedValue<::grout::launch::TokenType>", "getToken">,
    InterfaceMethod<"Returns the name, for people.",
      "::llvm::StringRef", "getName">,
    InterfaceMethod<"Returns the tokens from which edges lead to this launch.",
      "::mlir::OperandRange", "getAfter">,
    InterfaceMethod<"Returns the same tokens, for a change.",
      "::mlir::MutableOperandRange", "getAfterMutable">,
    InterfaceMethod<"Returns the kind of the edge from each token, an Edge.",
      "::llvm::ArrayRef<int32_t>", "getEdges">,
    InterfaceMethod<"Sets the kind of the edge from each token.",
      "void", "setEdges", (ins "::llvm::ArrayRef<int32_t>":$edges)>,
    InterfaceMethod<"Returns the branch of the plan that the launch is on.",
      "uint64_t", "getBranch">,
    InterfaceMethod<"Sets the branch of the plan.",
      "void", "setBranch", (ins "uint64_t":$branch)>,
    InterfaceMethod<"Returns how many of its tiles must be resident at once.",
      "uint64_t", "getResidents">,
    InterfaceMethod<"Returns the buffers that the launch reads, and may write.",
      "::llvm::SmallVector<::mlir::Value>", "getReads">,
    InterfaceMethod<"Returns the buffers that the launch writes, and may read.",
      "::llvm::SmallVector<::mlir::Value>", "getWrites">,
    InterfaceMethod<[{
        Returns whether the kernel, if it starts before earlier launches end,
        waits for them before it does anything else.
      }],
      "bool", "waitsAtEntry">,
    InterfaceMethod<[{
        Returns whether the kernel, if it waits for earlier launches, lets later
        launches start (a trigger) before that.
      }],
      "bool", "triggersBeforeWait">,
    InterfaceMethod<[{
        Returns whether the kernel may read `buffer` before it has waited for
        earlier launches.
      }],
      "bool", "readsEarly", (ins "::mlir::Value":$buffer)>,
    InterfaceMethod<[{
        Returns whether tiles that read `buffer` wait for tiles of `earlier`, if
        an edge `tile` leads from `earlier` to this launch. True if the kernel
        has code already: the waits are then in the code.
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
