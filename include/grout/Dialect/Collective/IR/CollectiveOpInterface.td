//===- CollectiveOpInterface.td - Ops of several ranks -----*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPINTERFACE_TD
#define GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::grout::collective";
  let description = [{
    A tile kernel that computes a tensor from the tensors that all ranks have.
  }];
  let methods = [
    InterfaceMethod<"Returns the tensor that this rank has.",
      "::mlir::TypedValue<::mlir::RankedTensorType>", "getInput">,
    InterfaceMethod<"Returns the result on this rank.",
      "::mlir::TypedValue<::mlir::RankedTensorType>", "getOutput">,
    InterfaceMethod<"Returns the number of ranks.", "uint64_t", "getRanks">,
    InterfaceMethod<[{
        Returns whether each element of the result is a sum over all ranks.
        Otherwise, each element is that of one rank.
      }], "bool", "isSum">,
  ];
}

#endif // GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVEOPINTERFACE_TD
